// The upload form: files that are dropped or pasted, targets that are found, shown and remembered, progress, and errors beside the
// form. Without it the form is sent as any other.
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
	const drop = byId("drop"), file = byId("file"), paste = byId("paste"), send = byId("send");
	const progress = byId("progress"), state = byId("state"), problem = byId("problem");

	// --- what is said beside the form

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
	const amount = (bytes) => {
		const units = ["B", "KiB", "MiB", "GiB"];
		let unit = 0;
		for (; bytes >= 1024 && unit < 3; unit++) bytes /= 1024;
		return bytes.toFixed(unit ? 1 : 0) + "\u00a0" + units[unit];
	};
	const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
	const advance = (done, total, text) => {
		progress.max = total || 1;
		progress.value = done;
		state.textContent = text;
	};

	// A problem is told in its own words: title, what and where, what to do.
	const explain = (answer) => {
		const where = answer.where ? answer.where + ": " : "";
		show([answer.title, answer.detail && where + answer.detail, answer.hint, answer.code]);
		idle();
	};

	// --- targets

	const modes = [...document.querySelectorAll("input[name=mode]")];
	const lists = { npu: byId("target-npu"), musa: byId("target-musa") };
	const fields = ["torch", "cann", "chip-npu", "chip-musa"].map(byId);
	const mode = () => modes.find((one) => one.checked).value;
	const begins = (whole, part) => whole === part || whole.startsWith(part + ".");
	// The newest stable release of a target for the versions that are given.
	const exact = (target) => {
		const torch = byId("torch").value.trim(), cann = byId("cann").value.trim(), chip = byId("chip-" + target).value;
		const found = [...lists[target].options].find((one) => "stable" in one.dataset && (!torch || begins(one.dataset.torch, torch)) &&
			(!cann || target !== "npu" || one.dataset.cann.split(", ").some((version) => begins(version, cann))));
		return found && found.value + (chip && ":" + chip);
	};
	const chosen = () => {
		if (mode() === "newest") return [];
		if (mode() === "versions") return ["npu", "musa"].map(exact).filter(Boolean);
		return Object.values(lists).flatMap((list) => [...list.selectedOptions].map((one) => one.value));
	};
	const memory = "opcheck targets";
	const remember = () => {
		const kept = { mode: mode(), fields: fields.map((field) => field.value), all: mode() === "all" ? chosen() : undefined };
		try { localStorage.setItem(memory, JSON.stringify(kept)); } catch { /* a browser that keeps nothing */ }
	};
	const recall = () => {
		let kept = null;
		try { kept = JSON.parse(localStorage.getItem(memory)); } catch { /* the same, or not ours */ }
		if (!kept || !modes.some((one) => one.value === kept.mode)) return;
		byId("mode-" + kept.mode).checked = true;
		fields.forEach((field, at) => { field.value = kept.fields?.[at] ?? ""; });
		if (kept.all) Object.values(lists).forEach((list) => [...list.options].forEach((one) => { one.selected = kept.all.includes(one.value); }));
	};
	const refresh = () => {
		byId("panel-versions").hidden = mode() !== "versions";
		byId("panel-all").hidden = mode() !== "all";
		byId("exact").textContent = mode() === "versions" ? chosen().join(", ") || form.dataset.noRelease : "";
	};
	const choose = () => { refresh(); remember(); };
	recall();
	refresh();
	[...modes, ...fields, ...Object.values(lists)].forEach((one) => {
		one.addEventListener("input", choose);
		one.addEventListener("change", choose);
	});
	byId("find-release").addEventListener("input", (event) => {
		const words = event.target.value.toLowerCase().split(/\s+/);
		Object.values(lists).forEach((list) => [...list.options].forEach((one) => {
			one.hidden = !words.every((word) => one.textContent.toLowerCase().includes(word));
		}));
	});
	byId("find-release").addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });

	// --- sending

	const visit = (address) => location.assign(address + new URL(form.action).search);
	// Work that takes longer is a job, which says how far it is until it is over. Whether it goes on.
	const look = (job) => {
		if (job.links?.result) visit(job.links.result.replace("/api/v1", ""));
		else if (job.problem || !job.status || job.status === "cancelled") explain(job.problem ?? { title: form.dataset.lost, ...job });
		else {
			const { read_bytes: done = 0, input_bytes: total = 0 } = job.progress ?? {};
			advance(done, total, total ? fill(form.dataset.checking, { done: amount(done), total: amount(total) }) : form.dataset.busy);
			return true;
		}
		return false;
	};
	const ask = async (address) => {
		try {
			if (look(await (await fetch(address, { headers: { Accept: "application/json" } })).json())) setTimeout(ask, 1000, address);
		} catch { explain({ title: form.dataset.lost }); }
	};
	// As events; where the service has none to give, it is asked now and then.
	const follow = (address) => {
		const events = new EventSource(address);
		events.addEventListener("job", (event) => look(JSON.parse(event.data)));
		events.addEventListener("end", (event) => {
			events.close();
			look(JSON.parse(event.data));
		});
		events.addEventListener("error", () => {
			events.close();
			ask(address);
		});
	};
	const finished = (request) => {
		let answer = { title: form.dataset.lost };
		try { answer = JSON.parse(request.responseText); } catch { /* cut */ }
		if (request.status === 200 || request.status === 201) return visit(answer.links.page);
		return request.status === 202 ? follow(answer.links.self) : explain(answer);
	};
	const collect = () => {
		const data = new FormData(form);
		["target", "torch"].forEach((name) => data.delete(name));
		chosen().forEach((target) => data.append("target", target));
		if (!file.files.length && paste.value) data.set("file", new File([paste.value], "pasted.log"));
		data.append("wait", "1");
		return data;
	};
	const submit = (event) => {
		event.preventDefault();
		if (mode() === "versions" && !chosen().length) return show([form.dataset.noRelease]);
		const request = new XMLHttpRequest(), start = performance.now();
		request.open("POST", form.action);
		request.setRequestHeader("Accept", "application/json");
		request.upload.addEventListener("progress", (step) => {
			if (!step.lengthComputable) return;
			const rate = amount(step.loaded / Math.max((performance.now() - start) / 1000, 0.001));
			advance(step.loaded, step.total, step.loaded < step.total
				? fill(form.dataset.sending, { done: amount(step.loaded), total: amount(step.total), rate }) : form.dataset.busy);
		});
		request.addEventListener("load", () => finished(request));
		request.addEventListener("error", () => explain({ title: form.dataset.lost }));
		problem.hidden = true;
		send.disabled = true;
		progress.hidden = false;
		progress.removeAttribute("value");
		state.textContent = form.dataset.busy;
		request.send(collect());
	};

	// --- files that come by themselves

	const take = (files) => {
		file.files = files;
		file.dispatchEvent(new Event("change"));
		send.focus();
	};
	// The files of folders, too. What is there must be asked for at once: a drop is forgotten when its event is over.
	const inside = async (entry) => {
		if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
		const reader = entry.createReader(), found = [];
		for (let some = [null]; some.length;) {
			some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
			found.push(...await Promise.all(some.map(inside)));
		}
		return found.flat();
	};
	const unfold = async (dropped) => {
		const plain = dropped.files, entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
		if (!entries.some((entry) => entry.isDirectory)) return plain;
		const all = new DataTransfer();
		(await Promise.all(entries.map(inside))).flat().forEach((one) => all.items.add(one));
		return all.files;
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
		unfold(event.dataTransfer).then(take);
	});
	const pasted = () => {
		file.required = !paste.value;
		problem.hidden = true;
	};
	addEventListener("paste", (event) => {
		const { files } = event.clipboardData, text = event.clipboardData.getData("text");
		if (files.length) return take(files);
		if (!text || event.target.matches("input, textarea")) return;
		byId("pasting").open = true;
		paste.value = text;
		pasted();
		send.focus();
	});
	paste.addEventListener("input", pasted);
	const names = byId("file-names");
	file.addEventListener("change", () => {
		problem.hidden = true;
		names.textContent = Array.from(file.files, (one) => one.name).join(", ");
	});
	form.addEventListener("submit", submit);
	addEventListener("pageshow", idle);
})();
