// Explain words beside them and build the table of operators: filters kept in the address, order, rows as they come into view.
(() => {
	"use strict";
	const byId = (id) => document.getElementById(id);
	const make = (name, css, text) => {
		const element = document.createElement(name);
		if (css) element.className = css;
		if (text !== undefined) element.textContent = text;
		return element;
	};
	const block = byId("operator-data");
	const data = block ? JSON.parse(block.textContent) : { rows: [], texts: [], severities: [] };
	block?.remove();

	// Translate by steps: how many texts and attributes stay, then the number of the word for the next. White space does not count.
	const translate = (root, steps, words) => {
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT), box = make("div");
		let at = 0, left = steps[0];
		const visit = (item) => {
			if (left-- !== 0) return;
			box.innerHTML = words[steps[at + 1]]; // escaped text, written by opcheck
			item.nodeValue = box.textContent;
			at += 2;
			left = steps[at];
		};
		for (let node = walker.nextNode(); node; node = walker.nextNode()) {
			if (node.attributes) Array.from(node.attributes).forEach(visit);
			else if (/[^ \t\r\n]/.test(node.nodeValue)) visit(node);
		}
		return root;
	};
	const start = (listen, second) => {
		const glossary = new Map(Array.from(document.querySelectorAll("#glossary [data-word]"), (word) => [word.dataset.word, word.nextElementSibling.textContent]));
		const explain = (element, word) => {
			if (glossary.has(word)) element.title = glossary.get(word);
		};
		const explainAll = (root) => {
			root.querySelectorAll(".tag").forEach((tag) => tag.classList.forEach((word) => explain(tag, word)));
			root.querySelectorAll("code").forEach((code) => explain(code, "f-" + code.textContent));
			root.querySelectorAll("tr[data-kind]").forEach((row) => explain(row.cells[row.cells.length - 1], "k-" + row.dataset.kind));
		};
		document.documentElement.classList.add("js");
		explainAll(document);
		// Make what scrolls reachable by keys.
		const reach = () => document.querySelectorAll(".scroll, .wide, pre").forEach((box) => {
			if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
		});
		reach();
		// Drawings wider than the screen begin at their first mark, beside the names.
		const left = (of) => of.getBoundingClientRect().left;
		document.querySelectorAll(".named").forEach((box) => {
			const mark = box.querySelector(".mark rect");
			if (mark) box.scrollLeft = left(mark) - left(box) - (box.clientWidth + box.firstChild.clientWidth) / 2;
		});
		listen("toggle", reach, true);
		listen("resize", reach);

		// n and p go to the next and the previous row that opens.
		listen("keydown", (event) => {
			if (!["n", "p"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
			const stops = Array.from(document.querySelectorAll("main td summary")).filter((stop) => stop.offsetParent);
			const at = stops.indexOf(document.activeElement);
			(stops[event.key === "n" ? at + 1 : at - 1] || stops[0])?.focus();
		});

		// Steps to ready that can be ticked: each row holds what it adds, in millionths, on the target's release and on the one it moves
		// to. With none ticked, rows and curve show the whole plan, the sum the state now.
		const numbers = (text) => text.split(" ").map(Number);
		const share = (ppm) => (Math.floor((Math.min(Math.max(ppm, 0), 1e6) + 500) / 1000) / 10).toFixed(1);
		const span = (lo, hi) => (share(lo) === share(hi) ? "" : share(lo) + "-") + share(hi) + " %";
		document.querySelectorAll("details[data-base]").forEach((part) => {
			const base = numbers(part.dataset.base), sum = part.querySelector(".sum"), curve = part.querySelector(".curve");
			const fixes = Array.from(part.querySelectorAll("tr[data-alone]"), (row) => {
				const figures = numbers(row.dataset.alone), label = make("label"), box = make("input");
				box.type = "checkbox";
				box.setAttribute("aria-label", row.cells[1].firstChild.textContent + row.cells[1].children[0].textContent);
				label.append(box, ...row.cells[0].childNodes);
				row.cells[0].append(label);
				return { row, box, moves: row.dataset.fix === "release", after: figures[0] - 1, here: figures.slice(1, 6), moved: figures.slice(6) };
			});
			if (!fixes.length) return;
			const plus = (a, b) => a.map((figure, i) => figure + b[i]);
			const after = (taken) => {
				const moved = taken.some((fix) => fix.moves);
				return taken.reduce((figures, fix) => plus(figures, moved && !fix.moves ? fix.moved : fix.here), base);
			};
			const points = Array.from(curve.querySelectorAll("circle")), [top, high, least] = numbers(curve.dataset.scale);
			const draw = (ways) => ["device", "all"].forEach((css, line) => curve.querySelector("polyline." + css).setAttribute("points", ways.map((figures, i) => {
				const y = top + high * (1e6 - Math.min(Math.max(figures[2 * line], least), 1e6)) / (1e6 - least);
				if (!line) points[i].setAttribute("cy", y);
				if (!line) points[i].firstChild.textContent = points[i].firstChild.textContent.replace(/: [^:]*$/, ": " + share(figures[0]) + " %");
				return points[i].getAttribute("cx") + "," + y;
			}).join(" ")));
			const update = () => {
				const ticked = fixes.filter((fix) => fix.box.checked), taken = ticked.length ? ticked : fixes, last = after(ticked);
				const ways = [base, ...fixes.map((_, i) => after(fixes.slice(0, i + 1).filter((fix) => taken.includes(fix))))];
				fixes.forEach(({ row, box }, i) => {
					const [lo, hi, runs, most, blockers] = ways[i + 1];
					row.classList.toggle("off", ticked.length > 0 && !box.checked);
					[span(lo, hi), span(runs, most), Math.max(blockers, 0)].forEach((text, at) => { row.cells[3 + at].textContent = text; });
				});
				draw(ways);
				const words = { count: ticked.length, all: fixes.length, readiness: span(last[0], last[1]), coverage: span(last[2], last[3]), blockers: Math.max(last[4], 0) };
				sum.textContent = sum.dataset.text.replace(/\{(\w+)\}/g, (_, word) => words[word]);
			};
			fixes.forEach((fix) => fix.box.addEventListener("input", () => {
				for (let before = fix.after; fix.box.checked && before >= 0; before = fixes[before].after) fixes[before].box.checked = true;
				fixes.forEach((other) => { if (other.after >= 0 && !fixes[other.after].box.checked) other.box.checked = false; });
				update();
			}));
			update();
		});

		// How many sizes to pad to: the plan's row holds the cost and where its lines are.
		document.querySelectorAll(".slider").forEach((slider) => {
			const card = slider.parentElement, range = slider.querySelector("input"), says = slider.querySelector("output");
			const drawing = card.querySelector(".padding"), rows = card.querySelectorAll("tr[data-edges]"), edge = drawing.querySelector(".edge");
			const pick = () => {
				const row = rows[range.value - 1], sizes = row.cells[2].textContent.split(" ");
				rows.forEach((other) => other.toggleAttribute("aria-current", other === row));
				drawing.querySelectorAll(".edge").forEach((old) => old.remove());
				numbers(row.dataset.edges).forEach((x, i) => {
					const mark = edge.cloneNode(true);
					mark.replaceChildren(mark.querySelector("rect"));
					mark.querySelector("rect").setAttribute("x", x);
					mark.querySelector("title").textContent = sizes[i];
					drawing.append(mark);
				});
				const words = { k: row.cells[0].textContent, waste: row.cells[1].textContent, sizes: row.cells[2].textContent };
				says.textContent = slider.dataset.text.replace(/\{(\w+)\}/g, (_, word) => words[word]);
			};
			range.addEventListener("input", pick);
			pick();
		});

		const table = byId("operators");
		if (!table) return;
		const CHUNK = 100, ALWAYS = 3;
		const scroller = table.parentElement;
		const heads = Array.from(table.tHead.rows[0].cells);
		const targets = heads.slice(4, -1).map((head) => head.textContent);
		const textOf = (number) => {
			const text = data.texts[number], other = second && data.other[number], whole = make("template");
			if (!other || !Array.isArray(other)) return other || text;
			whole.innerHTML = text;
			translate(whole.content, other, data.words);
			return whole.innerHTML;
		};
		const words = new Map(Array.from(byId("kind").options, (option) => [option.value, option.textContent]));
		const places = new Map(Array.from(byId("status").options, (option, place) => [option.value, place]));
		const filters = { q: byId("search"), target: byId("target"), status: byId("status"), shapes: byId("kind"), ns: byId("namespace"), rule: byId("rule") };
		if (byId("module")) filters.module = byId("module");

		// A record for each row of the data; rows of the page are for readers without a script.
		const records = data.rows.map(([name, share, calls, severity, kind, cells, rules, details, places]) => ({
			name, share, calls, severity, kind, cells, details, places, lower: name.toLowerCase(), ns: name.split("::")[0],
			statuses: cells.map((cell) => (/s-([a-z-]+)/.exec(data.texts[cell]) || [])[1]), rules: data.texts[rules].split(" ")
		}));

		const cell = (row, css, text) => {
			const made = make("td", css, text);
			row.append(made);
			return made;
		};
		const build = (item) => {
			const row = make("tr"), details = make("details");
			const severity = cell(row), known = data.severities[item.severity];
			Object.assign(row.dataset, { name: item.name, kind: item.kind });
			if (known) severity.append(make("span", "tag l-" + known[0], known[second ? 2 : 1]));
			cell(row, "n", share(item.share) + " %");
			cell(row, "n", item.calls);
			details.append(make("summary", "name", item.name));
			cell(row).append(details);
			item.cells.forEach((text, i) => {
				const status = cell(row);
				status.dataset.label = targets[i];
				status.innerHTML = textOf(text); // written by opcheck, as the whole page is
			});
			cell(row, "", words.get(item.kind));
			explainAll(row);
			explain(row.lastChild, "k-" + item.kind);
			return row;
		};
		const rowOf = (item) => (item.row = item.row || build(item));

		// The details of an operator, below its row.
		const inside = (item) => {
			const row = make("tr", "inside"), box = make("td");
			box.colSpan = heads.length;
			box.append(make("div"));
			let list;
			item.details.forEach((part) => {
				const whole = !Array.isArray(part) ? textOf(part) : part[0] < 0 && part.slice(1).map(textOf).join("");
				if (whole) list = undefined;
				else if (!list) box.firstChild.append(list = make("ul"));
				if (list) list.insertAdjacentHTML("beforeend", `<li>${part.map(textOf).join("")}</li>`);
				else box.firstChild.insertAdjacentHTML("beforeend", whole);
			});
			row.append(box);
			explainAll(row);
			return row;
		};
		const byRow = new WeakMap();
		table.addEventListener("toggle", (event) => {
			const item = byRow.get(event.target.closest("tr"));
			if (!item || event.target.parentElement.parentElement !== item.row) return;
			item.inside = item.inside || inside(item);
			if (event.target.open) item.row.after(item.inside);
			else item.inside.remove();
		}, true);

		// Bodies of a hundred rows: one far from the view is a gap of its height.
		let height = 36;
		const fill = (body) => {
			if (body.filled) return;
			const rows = body.items.flatMap((item) => {
				byRow.set(rowOf(item), item);
				return item.row.querySelector("details").open && item.inside ? [item.row, item.inside] : [item.row];
			});
			body.replaceChildren(...rows);
			body.filled = true;
		};
		const hollow = (body) => {
			const gap = make("tr", "gap");
			cell(gap).colSpan = heads.length;
			gap.firstChild.style.height = (body.filled ? body.offsetHeight : body.items.length * height) + "px";
			body.replaceChildren(gap);
			body.filled = false;
		};
		const watch = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => {
			if (isIntersecting) fill(target);
			else if (target.filled) hollow(target);
		}), { root: scroller, rootMargin: "2000px 0px" });
		const show = (items) => {
			const bodies = [];
			watch.disconnect();
			Array.from(table.tBodies).forEach((body) => body.remove());
			for (let from = 0; from < items.length || !from; from += CHUNK) {
				const body = make("tbody");
				body.items = items.slice(from, from + CHUNK);
				bodies.push(body);
			}
			bodies.slice(0, ALWAYS).forEach(fill);
			table.append(...bodies.slice(0, ALWAYS));
			height = items.length ? bodies[0].offsetHeight / bodies[0].items.length || height : height;
			bodies.slice(ALWAYS).forEach(hollow);
			table.append(...bodies.slice(ALWAYS));
			bodies.slice(ALWAYS).forEach((body) => watch.observe(body));
		};

		// Filters and order, which the address keeps.
		let sorted = { column: 0, down: false };
		const keys = [(r) => r.severity, (r) => r.share, (r) => r.calls, (r) => r.lower,
			...targets.map((_, i) => (r) => places.get(r.statuses[i])), (r) => r.kind];
		const fits = (item, asked) => asked.words.every((word) => item.lower.includes(word)) &&
			(!asked.status || (asked.target < 0 ? item.statuses.includes(asked.status) : item.statuses[asked.target] === asked.status)) &&
			(!asked.shapes || item.kind === asked.shapes) && (!asked.ns || item.ns === asked.ns) &&
			(!asked.rule || item.rules.includes(asked.rule)) && (!asked.module || item.places.some((at) => at >= asked.module[0] && at <= asked.module[1]));
		const update = () => {
			const asked = { target: targets.indexOf(filters.target.value), words: filters.q.value.toLowerCase().split(/\s+/).filter(Boolean) };
			for (const name of ["status", "shapes", "ns", "rule"]) asked[name] = filters[name].value;
			asked.module = filters.module?.value && numbers(filters.module.selectedOptions[0].dataset.at);
			const key = keys[sorted.column], sign = sorted.down ? -1 : 1;
			const items = records.filter((item) => fits(item, asked));
			if (sorted.column || sorted.down) items.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * sign);
			heads.forEach((head, i) => {
				if (i === sorted.column) head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
				else head.removeAttribute("aria-sort");
			});
			show(items);
			byId("shown").textContent = `${items.length} / ${records.length}`;
			const state = new URLSearchParams();
			for (const name in filters) if (filters[name].value) state.set(name, filters[name].value);
			if (sorted.column || sorted.down) state.set("sort", (sorted.down ? "-" : "") + sorted.column);
			const fragment = state.toString();
			if (fragment || location.hash.includes("=")) history.replaceState(null, "", fragment ? "#" + fragment : "#");
		};
		const restore = () => {
			if (location.hash.length > 1 && !location.hash.includes("=")) return; // a place of the page
			const state = new URLSearchParams(location.hash.slice(1)), order = state.get("sort") || "0";
			for (const name in filters) filters[name].value = state.get(name) || "";
			sorted = { column: Math.min(Math.abs(parseInt(order, 10)) || 0, keys.length - 1), down: order.startsWith("-") };
			update();
		};

		const offer = (select, names) => [...new Set(names)].filter(Boolean).sort().forEach((name) => select.append(new Option(name, name)));
		offer(filters.target, targets);
		offer(filters.ns, records.map((item) => item.ns));
		offer(filters.rule, records.flatMap((item) => item.rules));
		for (const name of ["target", "ns", "rule"]) filters[name].hidden = filters[name].length < (name === "rule" ? 2 : 3);
		heads.forEach((head, column) => {
			const button = make("button");
			button.type = "button";
			button.append(...head.childNodes);
			head.append(button);
			button.addEventListener("click", () => {
				const again = head.hasAttribute("aria-sort");
				sorted = { column, down: again ? !sorted.down : column === 1 || column === 2 };
				update();
				scroller.scrollTop = 0;
			});
		});
		Object.values(filters).forEach((control) => control.addEventListener("input", update));
		listen("hashchange", () => {
			restore();
			if (location.hash.includes("=")) table.closest(".scroll").previousElementSibling.scrollIntoView();
		});
		restore();
		// Columns keep the width that the first rows give them.
		heads.forEach((head) => { head.style.width = head.offsetWidth + "px"; });
		table.classList.add("fixed-columns");
	};

	// A page in two languages keeps each as it was written and starts it when it is shown.
	const other = byId("other-language"), html = document.documentElement;
	let stop = new AbortController();
	const listen = (name, act, capture) => addEventListener(name, act, { capture, signal: stop.signal });
	if (!other) {
		start(listen, false);
		return;
	}
	const content = () => Array.from(document.body.children).filter((part) => part !== other && part.tagName !== "SCRIPT");
	const written = () => content().map((part) => part.cloneNode(true));
	const translated = () => {
		const { steps, words } = JSON.parse(other.textContent), page = document.createDocumentFragment();
		page.append(...written());
		return translate(page, steps, words);
	};
	const pages = [{ lang: html.lang, title: document.title, parts: written() },
		{ lang: other.lang, title: other.dataset.title, parts: Array.from((other.content || translated()).children) }];
	let shown = 0;
	const begin = () => {
		const button = make("button", "language", shown ? other.dataset.first : other.dataset.name);
		button.type = "button";
		button.lang = pages[1 - shown].lang;
		button.addEventListener("click", () => {
			shown = 1 - shown;
			stop.abort();
			stop = new AbortController();
			content().forEach((part) => part.remove());
			other.before(...pages[shown].parts.map((part) => document.importNode(part, true)));
			html.lang = pages[shown].lang;
			document.title = pages[shown].title;
			begin();
			document.querySelector("button.language").focus();
		});
		document.querySelector("header").prepend(button);
		start(listen, shown === 1);
	};
	begin();
})();
