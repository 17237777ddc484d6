// The search of a static site (`opcheck site`): operators by parts of their names, from an index that is loaded when it is needed.
(() => {
	"use strict";
	const field = document.getElementById("find"), found = document.getElementById("found");
	const root = field.dataset.root, MOST = 50;

	const make = (tag, text, properties) => Object.assign(document.createElement(tag), { textContent: text }, properties);
	const address = (name, path) => root + (path || "operators/" + name.replace("::", ".") + ".html");

	const show = () => {
		const index = window.opcheckIndex, words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
		if (!index) return;
		const fits = words.length ? index.operators.filter(([name]) => words.every((word) => name.toLowerCase().includes(word))) : [];
		const list = make("ul", "");
		for (const [name, path, ...statuses] of fits.slice(0, MOST)) {
			const item = make("li", "");
			item.append(make("a", name, { className: "name", href: address(name, path) }));
			statuses.forEach((status, at) => {
				const [value, word] = index.statuses[status];
				item.append(" " + index.targets[at] + " ", make("span", word, { className: "tag s-" + value }));
			});
			list.append(item);
		}
		found.replaceChildren(...(words.length ? [make("p", fits.length + " " + index.found, { className: "soft" }), list] : []));
	};

	field.addEventListener("input", show);
	field.addEventListener("focus", () => {
		document.head.append(make("script", "", { src: root + "index.js", onload: show }));
	}, { once: true });
})();
