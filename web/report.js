// What words mean beside them; sorting and filtering of the operators; the page is complete without it. The filter is kept in the fragment.
(() => {
	"use strict";
	const glossary = new Map(Array.from(document.querySelectorAll("#glossary [data-word]"), (word) => [word.dataset.word, word.nextElementSibling.textContent]));
	const explain = (element, word) => {
		if (glossary.has(word)) element.title = glossary.get(word);
	};
	document.querySelectorAll(".tag").forEach((tag) => tag.classList.forEach((word) => explain(tag, word)));
	document.querySelectorAll("code").forEach((code) => explain(code, "f-" + code.textContent));
	document.querySelectorAll("tr[data-kind]").forEach((row) => explain(row.cells[row.cells.length - 1], "k-" + row.dataset.kind));

	const table = document.getElementById("operators");
	if (!table) return;
	document.documentElement.classList.add("js");
	const body = table.tBodies[0];
	const rows = Array.from(body.rows);
	const search = document.getElementById("search");
	const status = document.getElementById("status");
	const kind = document.getElementById("kind");
	const shown = document.getElementById("shown");

	const keyOf = (row, column) => {
		const cell = row.cells[column];
		if (cell.dataset.key !== undefined) return Number(cell.dataset.key);
		return (cell.querySelector("summary") || cell).textContent.trim().toLowerCase();
	};
	const sortBy = (column, descending) => {
		const keyed = rows.map((row) => [keyOf(row, column), row]);
		keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (descending ? -1 : 1));
		keyed.forEach(([, row]) => body.append(row));
		Array.from(table.tHead.rows[0].cells).forEach((head, i) => {
			if (i === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
			else head.removeAttribute("aria-sort");
		});
	};
	const filter = () => {
		const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
		let count = 0;
		rows.forEach((row) => {
			const fits = words.every((word) => row.dataset.name.includes(word)) &&
				(!status.value || row.dataset.statuses.split(" ").includes(status.value)) &&
				(!kind.value || row.dataset.kind === kind.value);
			row.hidden = !fits;
			count += fits;
		});
		shown.textContent = `${count} / ${rows.length}`;
		const state = new URLSearchParams();
		if (search.value) state.set("q", search.value);
		if (status.value) state.set("status", status.value);
		if (kind.value) state.set("shapes", kind.value);
		const fragment = state.toString();
		if (fragment || location.hash.includes("=")) history.replaceState(null, "", fragment ? "#" + fragment : "#");
	};
	const restore = () => {
		const state = new URLSearchParams(location.hash.slice(1));
		search.value = state.get("q") || "";
		status.value = state.get("status") || "";
		kind.value = state.get("shapes") || "";
		filter();
	};

	Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
		const button = document.createElement("button");
		button.type = "button";
		button.append(...head.childNodes);
		head.append(button);
		button.addEventListener("click", () => {
			const numbers = rows.length > 0 && rows[0].cells[column].dataset.key !== undefined;
			const now = head.getAttribute("aria-sort");
			sortBy(column, now ? now === "ascending" : numbers);
		});
	});
	[search, status, kind].forEach((control) => control.addEventListener("input", filter));
	addEventListener("hashchange", restore);
	restore();
})();
