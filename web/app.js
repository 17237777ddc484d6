// The upload form: drag and drop, progress, and errors beside the form. Without it the form is sent as any other.
(() => {
	"use strict";
	document.documentElement.classList.add("js");
	// What has to be scrolled can be, by keys too.
	const reach = () => document.querySelectorAll(".scroll, .wide, pre").forEach((box) => {
		if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
	});
	reach();
	addEventListener("toggle", reach, true);
	addEventListener("resize", reach);
	const form = document.getElementById("upload");
	if (!form) return;
	const byId = (id) => document.getElementById(id);
	const drop = byId("drop"), file = byId("file"), send = byId("send");
	const progress = byId("progress"), state = byId("state"), problem = byId("problem");

	const line = (text) => {
		const paragraph = document.createElement("p");
		paragraph.textContent = text;
		problem.append(paragraph);
	};
	const show = (lines) => {
		problem.replaceChildren();
		lines.filter(Boolean).forEach(line);
		problem.hidden = false;
	};
	const idle = () => {
		send.disabled = false;
		progress.hidden = true;
		state.textContent = "";
	};

	// A problem is told in its own words: title, what and where, what to do.
	const explain = (request) => {
		let answer = {};
		try { answer = JSON.parse(request.responseText); } catch { answer = { title: form.dataset.lost }; }
		const where = answer.where ? answer.where + ": " : "";
		show([answer.title, answer.detail && where + answer.detail, answer.hint, answer.code]);
		idle();
	};
	const finished = (request) => {
		if (request.status !== 200 && request.status !== 201) return explain(request);
		const language = new URL(form.action).search;
		location.assign(JSON.parse(request.responseText).links.page + language);
	};
	const submit = (event) => {
		event.preventDefault();
		const request = new XMLHttpRequest();
		request.open("POST", form.action);
		request.setRequestHeader("Accept", "application/json");
		request.upload.addEventListener("progress", (step) => {
			if (!step.lengthComputable) return;
			progress.max = step.total;
			progress.value = step.loaded;
			state.textContent = step.loaded < step.total ? form.dataset.sending : form.dataset.busy;
		});
		request.addEventListener("load", () => finished(request));
		request.addEventListener("error", () => { show([form.dataset.lost]); idle(); });
		problem.hidden = true;
		send.disabled = true;
		progress.hidden = false;
		progress.removeAttribute("value");
		state.textContent = form.dataset.sending;
		request.send(new FormData(form));
	};

	// A dropped file becomes the chosen one, anywhere on the page, so that a near miss does not leave the page.
	const carriesFiles = (event) => event.dataTransfer && Array.from(event.dataTransfer.types).includes("Files");
	addEventListener("dragover", (event) => {
		if (!carriesFiles(event)) return;
		event.preventDefault();
		drop.classList.add("over");
	});
	addEventListener("dragleave", (event) => {
		if (!event.relatedTarget) drop.classList.remove("over");
	});
	addEventListener("drop", (event) => {
		if (!carriesFiles(event)) return;
		event.preventDefault();
		drop.classList.remove("over");
		file.files = event.dataTransfer.files;
		file.dispatchEvent(new Event("change"));
		send.focus();
	});
	file.addEventListener("change", () => { problem.hidden = true; });
	form.addEventListener("submit", submit);
	addEventListener("pageshow", idle);
})();
