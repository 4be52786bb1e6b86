"""How the page looks: its style, and the script that fits drawings to screen and paper.

The script sets what a drawing cannot know when it is made: colours of text (light, dark,
paper), how wide the page is, and that nothing stays folded in print.
"""

STYLE = """
:root { --text: #1c1f23; --soft: #565d66; --page: #ffffff; --line: #d5d9de; --tint: #f4f6f8;
  --link: #1d5fa8; --shade: #0000003d; --red: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8ea; --soft: #a7adb4; --page: #14171a; --line: #3a4046; --tint: #1e2226;
    --link: #84b9ef; --shade: #ffffff47; --red: #ff8f85; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem 1.25rem 4rem; background: var(--page);
  color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .5rem; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 .25rem; padding-top: 1rem;
  border-top: 2px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.75rem 0 .25rem; }
a { color: var(--link); }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
/* Where a link of the contents leads; a frame around a whole section would say less. */
section:focus, main:focus, nav:focus { outline: none; }
:target > h2, :target > h3 { text-decoration: underline 2px var(--link); }
.diamonds, .hearts { color: var(--red); }
p { margin: .4rem 0; max-width: 46rem; }
.verdict { font-weight: 600; }
.finding { border-left: 3px solid var(--link); padding-left: .7rem;
  white-space: pre-line; }
.lead, .kinds, .rests, .again, figcaption, .missing { color: var(--soft); font-size: .92rem; }
.short { background: var(--tint); border-radius: 6px; padding: .1rem 1rem .7rem;
  margin: 1rem 0; }
.short h2 { border: 0; margin: .6rem 0 0; padding: 0; font-size: 1.15rem; }
.short h3 { margin: .8rem 0 .1rem; font-size: 1rem; }
.short ul { margin: .2rem 0; padding-left: 1.2rem; }
.short .wide { --page: var(--tint); }
.short th, .short td { border-color: var(--line); }
td.said { white-space: normal; }
.short li { margin: .25rem 0; }
.short caption { display: none; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; margin: .75rem 0; }
.facts dt { color: var(--soft); font-size: .8rem; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.runs { list-style: none; padding: 0; }
.runs > li { border-left: 3px solid var(--line); padding-left: .7rem; margin: 1rem 0; }
code { background: var(--tint); padding: .1em .3em; border-radius: 3px; font-size: .9em;
  overflow-wrap: anywhere; }
nav > ul { list-style: none; padding: 0; display: grid; gap: .5rem 1.25rem;
  grid-template-columns: repeat(auto-fit, minmax(12.5rem, 1fr)); }
nav ul ul { padding-left: 1rem; font-size: .9rem; }
figure { margin: .75rem 0 1.5rem; }
figcaption { max-width: 46rem; margin-top: .6rem; }
.drawing { width: 100%; min-width: 0; }
/* A map with its table beside it where both have room, else one below the other. */
.pair > .data { margin-top: -1rem; }
.pair th, .pair td { white-space: normal; padding: .2rem .4rem; }
@media screen and (min-width: 76rem) {
  .pair:not(.broad) { display: flex; gap: .5rem 1.5rem; align-items: flex-start; }
  .pair:not(.broad) > figure { flex: 1 1 26rem; min-width: 0; }
  .pair:not(.broad) > .data { flex: 0 1 auto; min-width: 0; max-width: 44rem; margin-top: .4rem; }
}
.back { font-size: .85rem; }
/* Shades at the edges and a bar that stays say that a table goes on. */
.wide { overflow-x: auto; margin: .5rem 0; scrollbar-width: thin;
  background: linear-gradient(to right, var(--page) 40%, transparent) left / 3rem 100% no-repeat
      local,
    linear-gradient(to left, var(--page) 40%, transparent) right / 3rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) left / 1rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) right / 1rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.caption { color: var(--soft); font-size: .88rem; margin: .75rem 0 0; break-after: avoid; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; vertical-align: top; }
thead th { font-weight: 600; white-space: normal; vertical-align: bottom; }
tr > :first-child, tr > .said { text-align: left; }
tbody th { font-weight: 500; }
details { margin: .4rem 0; }
.words dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem;
  font-size: .9rem; max-width: 52rem; }
.words dt { font-weight: 600; }
.words dd { margin: 0; }
summary { cursor: pointer; color: var(--link); font-size: .92rem; }
.kinds { padding-left: 1.1rem; margin: .5rem 0; font-size: .82rem; }
@media screen { td.long { min-width: 14rem; } }
@media (max-width: 34rem) { body { padding: .5rem .75rem 3rem; }
  nav > ul { display: block; } nav ul ul { padding: 0; display: flex; flex-wrap: wrap;
  gap: 0 1rem; list-style: none; } nav a, summary { line-height: 2; }
  th, td { padding: .2rem .4rem; } tbody th { white-space: normal; min-width: 5.5rem; }
  td.long { white-space: normal; min-width: 12rem; }
  .learn table, .learn tbody, .learn tr { display: block; }
  .learn thead { display: none; }
  .learn tr { border-bottom: 1px solid var(--line); padding: .35rem 0; }
  .learn tbody th, .learn td { display: block; border: 0; text-align: left; white-space: normal;
    min-width: 0; padding: 0; }
  .learn tbody th { font-weight: 600; }
  .learn td:empty { display: none; }
  .learn td::before { content: attr(data-head) ": "; color: var(--soft); }
  .words dl { display: block; } .words dd { margin-bottom: .4rem; } }
@media print {
  @page { size: A4 portrait; margin: 14mm; }
  :root { --text: #000; --soft: #444; --page: #fff; --line: #bbb; --tint: #f2f2f2;
    --link: #000; --red: #b3261e; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  nav, .skip, .back { display: none; }
  h1 { margin-top: 0; }
  h2 { margin-top: 1.5rem; }
  h3 { margin-top: 1rem; }
  .words dl { display: block; max-width: none; }
  .words dt { float: left; padding-right: .5rem; }
  summary { list-style: none; color: var(--soft); }
  figure, tr, p, dd { break-inside: avoid; }
  h2, h3, .lead, summary { break-after: avoid; }
  figcaption { break-before: avoid; }
  .wide { overflow: visible; background: none; }
  .wide:not(.slim) td { white-space: normal; }  /* what is too wide is cut at the margin */
  table { font-size: 7.5pt; }
  .learn table { font-size: 9.5pt; }
  .slim { columns: 2; column-gap: 6mm; }
  th, td { padding: .05rem .45rem; }
  .slim th, .slim td { padding: .05rem .3rem; }
}
"""

SCRIPT = """
(function () {
  var PAPER = 680;  // pixels between the margins of an upright A4 page
  var TALL = 640;  // a drawing's most, so that its section's opening fits above it
  var NARROW = 560;
  var LETTERS = 17;  // pixels of a line of a name
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var light = { text: "#1c1f23", grid: "#e1e4e8", zero: "#8a9199" };
  var night = { text: "#e6e8ea", grid: "#31363c", zero: "#8a9199" };
  var opened = [];
  function wrapped(text, most) {
    var lines = [""];
    text.split(" ").forEach(function (word) {
      var last = lines[lines.length - 1];
      if (last && (last + " " + word).length > most) { lines.push(word); }
      else { lines[lines.length - 1] = last ? last + " " + word : word; }
    });
    return lines.join("<br>");
  }
  function fit(drawing, change, width, most) {
    // Titles and names as they came are kept, since the page may grow wide again.
    var own = drawing.barbu = drawing.barbu || {
      title: drawing.layout.xaxis.title.text, scale: (drawing.layout.yaxis.title || {}).text,
      names: drawing.layout.yaxis.ticktext,  // a curve has none
      ticks: drawing.layout.xaxis.ticktext,
      height: drawing.layout.height };
    var narrow = width < NARROW;
    change["xaxis.title.text"] = wrapped(own.title, narrow ? 34 : 90);
    var height = own.height;
    if (own.names) {
      var names = own.names.map(function (name) { return wrapped(name, narrow ? 13 : 40); });
      var tallest = Math.max.apply(null, names.map(function (name) {
        return name.split("<br>").length; }));
      // Names of several lines need room, or they run into each other.
      height = Math.max(height, 80 + names.length * (tallest * LETTERS + 4));
      change["yaxis.ticktext"] = names;
    }
    if (own.scale) { change["yaxis.title.text"] = wrapped(own.scale, 44); }
    if (own.ticks) {
      var room = Math.max(6, Math.floor((width - 110) / own.ticks.length / 7));
      change["xaxis.ticktext"] = own.ticks.map(function (tick) { return wrapped(tick, room); });
    }
    change["xaxis.nticks"] = narrow ? 5 : 0;
    if (narrow && !own.ticks) { change["xaxis.tickangle"] = 0; }
    change.height = most ? Math.min(most, height) : height;
    drawing.style.height = drawing.closest(".drawing").style.height = change.height + "px";
  }
  function paint(colours, width, most) {
    document.querySelectorAll(".plotly-graph-div").forEach(function (drawing) {
      if (!drawing.layout) { return; }
      var change = { "font.color": colours.text, width: width || null, autosize: !width };
      ["xaxis", "yaxis"].forEach(function (key) {
        change[key + ".gridcolor"] = colours.grid;
        change[key + ".zerolinecolor"] = colours.zero;
      });
      fit(drawing, change, width || drawing.parentNode.clientWidth, most);
      // An interval lies across its bar, where the colour of the bar would hide it.
      var bars = [];
      drawing.data.forEach(function (one, i) { if (one.type === "bar") { bars.push(i); } });
      if (bars.length) { Plotly.update(drawing, { "error_x.color": colours.text }, change, bars); }
      else { Plotly.relayout(drawing, change); }
    });
  }
  function now() { paint(dark.matches ? night : light); }
  var narrow = window.matchMedia("(max-width: 600px)");
  if (window.matchMedia("(max-width: 60rem)").matches) {  // a table below its map can wait
    document.querySelectorAll("details.data").forEach(function (fold) { fold.open = false; });
  }
  now();
  dark.addEventListener("change", now);
  narrow.addEventListener("change", now);
  window.addEventListener("beforeprint", function () {
    opened = document.querySelectorAll("details:not([open])");
    opened.forEach(function (fold) { fold.open = true; });
    paint(light, PAPER, TALL);
  });
  window.addEventListener("afterprint", function () {
    opened.forEach(function (fold) { fold.open = false; });
    now();
  });
  document.documentElement.dataset.ready = "1";
})();
"""
