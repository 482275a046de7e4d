/* Fills the page with numbers for the parameters in the form. */
const INTEGERS = ["actions", "max_states", "max_diameter", "mixing_time", "class_size", "states", "diameter"];
const form = document.getElementById("inputs");
const all = (selector) => [...document.querySelectorAll(selector)];

const grouped = (n) => n.toString().replace(/\B(?=(\d{3})+$)/g, ",");
/* A short decimal with three significant digits, rounded conservatively: what is left of δ downwards, all else upwards. */
function decimal(q, round) {
  if (q.n === 0n) return "0";
  let exponent = 0n;
  while (floorOf(times(q, powerOfTen(-exponent))) >= 10n) exponent++;
  while (floorOf(times(q, powerOfTen(-exponent))) < 1n) exponent--;
  let digits = round(times(q, powerOfTen(2n - exponent)));
  if (digits === 1000n) { digits = 100n; exponent++; }
  if (exponent < -5n || exponent > 15n) return `${digits.toString().replace(/^(.)(..)$/, "$1.$2")}e${exponent}`;
  if (exponent >= 2n) return grouped(digits * 10n ** (exponent - 2n));
  if (exponent < 0n) return `0.${"0".repeat(Number(-exponent) - 1)}${digits}`;
  const text = digits.toString(), point = Number(exponent) + 1;
  return `${text.slice(0, point)}.${text.slice(point)}`;
}
const powerOfTen = (k) => k >= 0n ? fraction(10n ** k) : fraction(1n, 10n ** -k);
function shown(q, key) {
  if (q === null || q === undefined) return "undecided";
  if (q.d === 1n) return q.n < 0n ? `−${grouped(-q.n)}` : grouped(q.n);
  const text = `${q.n}/${q.d}`;
  return text.length <= 9 ? text : decimal(q, key === "left" ? floorOf : ceilOf);
}

/* What is wrong with the parameters, in words, and the name of the field; null if nothing is. */
function problem(given) {
  for (const input of form.querySelectorAll("input[type=text]")) {
    const value = given[input.name], least = input.name === "max_diameter" || input.name === "diameter" ? 0n : 1n;
    if (value === null) return [input.name, `${input.value || "nothing"} is not a number such as 30, 0.05 or 1/20`];
    if (INTEGERS.includes(input.name)) {
      if (value.d !== 1n || value.n < least) return [input.name, `expected a whole number, at least ${least}`];
      if (value.n > 10n ** 12n) return [input.name, "expected at most 10^12 on this page"];
    } else if (value.n <= 0n || value.n >= value.d) return [input.name, "expected a number between 0 and 1"];
    else if (value.d > value.n << 100n) return [input.name, "expected at least 2^−100 on this page"];
  }
  const [S, D, N, F, bound, t] = ["states", "diameter", "max_states", "class_size", "max_diameter", "mixing_time"].map((k) => given[k].n);
  if (S > N) return ["states", `there are more states than N = ${N} allows`];
  if (S > F) return ["states", `there are more states than classifiers (|F| = ${F}); each state needs its own classifier`];
  if (D > S - 1n || D < (S > 1n ? 1n : 0n)) return ["diameter", S > 1n ? `expected 1 to |S| − 1 = ${S - 1n}` : "expected 0 for one state"];
  if (D > bound) return ["diameter", `it is above D̂ = ${bound}`];
  if (t > S * (D + 1n) * 10n ** 8n) return ["mixing_time", "it is too large for this page to search the worst period"];
  return null;
}

/* Parameters on which no number of the page depends have no field, and get a value that is allowed. */
function givenValues() {
  const given = Object.fromEntries([...form.querySelectorAll("input[type=text]")].map((each) => [each.name, parsed(each.value)]));
  return { actions: fraction(1n), class_size: given.states, max_diameter: given.diameter, ...given };
}

/* All numbers for these parameters, as fractions; null where a number is undecided. */
function computed(given) {
  const values = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, exact(value)]));
  const found = { ...given, ...evaluateAll(DEFINITIONS, values) };
  const terms = Object.keys(DEFINITIONS).filter((key) => key.startsWith("term_"));
  found.terms = terms.some((key) => found[key] === null) ? null : terms.map((key) => found[key]).reduce(plus, fraction(0n));
  return found;
}

const part = (a, b) => !a || !b || b.n === 0n ? null : Number(floorOf(times(times(a, inverse(b)), fraction(100000n)))) / 1000;
function fill(values) {
  for (const each of all("[data-value]")) each.textContent = shown(values[each.dataset.value], each.dataset.value);
  for (const each of all("[data-bar]")) each.style.width = `${Math.min(100, part(values[each.dataset.bar], values[each.dataset.of]) || 0)}%`;
  for (const each of all("[data-percent]")) {
    const percent = part(values[each.dataset.percent], values[each.dataset.of]);
    each.textContent = percent === null ? "undecided" : `${percent.toFixed(1)} %`;
  }
  const names = all("[data-term]");
  if (!names.length) return;
  const sizes = names.map((each) => values[`term_${each.dataset.term}`]);
  const most = sizes.includes(null) ? -1 : sizes.reduce((best, size, i) => compare(size, sizes[best]) > 0 ? i : best, 0);
  document.getElementById("dominant").textContent = most < 0 ? "undecided" : names[most].textContent;
}

function update() {
  const given = givenValues(), wrong = problem(given);
  for (const input of form.querySelectorAll("input[type=text]")) input.toggleAttribute("aria-invalid", false);
  document.body.classList.toggle("stale", wrong !== null);
  document.getElementById("problem").textContent = wrong === null ? "" : `${label(wrong[0])}: ${wrong[1]}.`;
  if (wrong !== null) form.elements[wrong[0]].setAttribute("aria-invalid", "true");
  else fill(computed(given));
}
/* One sentence for screen readers; the numbers themselves are not announced, because all of them change at once. */
function announce() {
  const number = (key, told) => {
    const found = document.querySelector(`output[data-value="${key}"]`);
    return found ? told(found.textContent) : "";
  };
  document.getElementById("status").textContent = document.body.classList.contains("stale") ? "" :
    `Recomputed.${number("exact_total", (n) => ` Looped: at most ${n} steps.`)}${number("steps_1", (n) => ` Located: at most ${n} steps to validate.`)}`;
}
const label = (name) => form.querySelector(`label[for="in-${name}"]`).textContent.trim().replace(/\s+/g, " ");

/* Sliders move on a logarithmic scale, to numbers with two digits. */
function sliderValue(slider) {
  const { least, most, whole } = slider.dataset;
  const lowest = Number(least), highest = Number(most), position = Number(slider.value) / 1000;
  if (whole === "yes" && lowest === 0 && position === 0) return "0";
  const value = Math.max(lowest, 1e-12 + (lowest || 1) * (highest / (lowest || 1)) ** position);
  const rounded = Number(value.toPrecision(value < 100 || whole === "no" ? 2 : 3));
  return whole === "yes" ? String(Math.round(rounded)) : rounded < 1e-6 ? rounded.toExponential() : String(rounded);
}
function place(slider) {
  const value = parsed(form.elements[slider.dataset.for].value);
  if (value === null || value.n <= 0n) { slider.value = 0; return; }
  const least = Number(slider.dataset.least) || 1, most = Number(slider.dataset.most), x = Number(value.n) / Number(value.d);
  slider.value = Math.round(1000 * Math.log(x / least) / Math.log(most / least));
}
const sliders = [...form.querySelectorAll("input[type=range]")];
for (const slider of sliders) {
  place(slider);
  slider.addEventListener("input", () => { form.elements[slider.dataset.for].value = sliderValue(slider); update(); announce(); });
}
form.addEventListener("input", (event) => {
  if (event.target.type !== "text") return;
  place(sliders.find((each) => each.dataset.for === event.target.name));
  update();
  announce();
});
document.getElementById("as-it-was").addEventListener("click", () => { form.reset(); sliders.forEach(place); update(); announce(); });
/* On paper every formula is shown. */
let closed = [];
addEventListener("beforeprint", () => { closed = all("details:not([open])"); closed.forEach((each) => { each.open = true; }); });
addEventListener("afterprint", () => closed.forEach((each) => { each.open = false; }));
form.addEventListener("submit", (event) => event.preventDefault());
update();
