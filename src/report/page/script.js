/* Reads and zooms the charts of a page: a line where the pointer or the keyboard is, the values
   there, and a closer look. It draws nothing that the page has not without it, and asks for
   nothing from anywhere. */
(() => {
'use strict';
const all = (what, where = document) => [...where.querySelectorAll(what)];
const make = (name, set = {}, ...inside) => {
  const it = Object.assign(document.createElement(name), set);
  it.append(...inside);
  return it;
};
const data = JSON.parse(document.getElementById('charts').textContent);

/* Numbers, as the page writes them: four digits, a unit that fits. */
const group = (v, d) => v.toLocaleString('en-US',
  {minimumFractionDigits: d, maximumFractionDigits: d});
const four = v => group(v, Number.isInteger(v) ? 0
  : Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(Math.abs(v))))));
const units = {
  time: [[86400, 'd', 172800], [3600, 'h', 7200], [1, 's', 1], [1e-3, 'ms', 1e-3],
    [1e-6, 'µs', 1e-6], [1e-9, 'ns', 0]],
  bytes: [[2 ** 30, 'GiB', 2 ** 30], [2 ** 20, 'MiB', 2 ** 20], [1024, 'KiB', 1024], [1, 'B', 0]],
  share: [[.01, '%', 0]],
  number: [[1, '', 0]],
};
const show = (v, quantity) => {
  if (v === undefined) return '–';
  const of = units[quantity];
  const [size, unit] = v === 0 && quantity === 'time' ? [1, 's']
    : of.find(it => Math.abs(v) >= it[2]) || of[of.length - 1];
  return four(v / size) + (unit && ' ' + unit);
};

/* Ticks: the same steps as those of the drawing. */
const clock = [1, 2, 5, 10, 20, 30].map(s => [s, 1, 's'])
  .concat([60, 120, 300, 600, 1800].map(s => [s, 60, 'min']))
  .concat([3600, 7200, 21600, 43200].map(s => [s, 3600, 'h']), [[86400, 86400, 'd']]);
const nice = least => {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find(factor => factor * power >= least * (1 - 1e-9));
};
const stepOf = (least, top, quantity) => {
  if (quantity === 'time' && least > .5)
    return clock.find(it => it[0] >= least) || [nice(least / 86400) * 86400, 86400, 'd'];
  const scales = {
    time: [[1, 's', 1], [1e-3, 'ms', 1e-3], [1e-6, 'µs', 1e-6], [1e-9, 'ns', 0]],
    bytes: units.bytes.map(([size, unit]) => [size, unit, 2 * size]),
    share: units.share,
    number: [[1e9, 'G', 1e10], [1e6, 'M', 1e7], [1e3, 'k', 1e4], [1, '', 0]],
  }[quantity];
  const [size, unit] = scales.find(it => top >= it[2]) || scales[scales.length - 1];
  return [quantity === 'bytes' ? nice(least / size) * size : nice(least), size, unit];
};
const ticks = (from, to, most, quantity) => {
  const [step, size, unit] = stepOf((to - from) / most, to, quantity);
  let digits = 0;
  const over = () => step / size * 10 ** digits;
  while (digits < 9 && Math.abs(over() - Math.round(over())) > 1e-6) digits++;
  const marks = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++)
    marks.push([i * step, i ? group(i * step / size, digits) + (unit && ' ' + unit) : '0']);
  return marks;
};

/* Lines: points as they are joined, cut to what is in view, and values between them. */
const joined = (xs, ys, shape) => shape === 'steps'
  ? xs.flatMap((x, i) => i ? [[x, ys[i - 1]], [x, ys[i]]] : [[x, ys[0]]])
  : xs.map((x, i) => [x, ys[i]]);
const cut = (points, from, to) => {
  const kept = [];
  points.forEach(([x, y], i) => {
    const [px, py] = i ? points[i - 1] : [x, y];
    for (const edge of [from, to])
      if (px < edge && x > edge) kept.push([edge, py + (y - py) * (edge - px) / (x - px)]);
    if (x >= from && x <= to) kept.push([x, y]);
  });
  return kept.sort((a, b) => a[0] - b[0]);
};
const valueAt = (xs, ys, shape, x) => {
  let after = xs.findIndex(it => it > x);
  if (after < 0) after = xs.length;
  if (!after || (after === xs.length && x > xs[after - 1])) return undefined;
  const y = ys[after - 1];
  if (shape === 'steps' || after === xs.length) return y;
  return y + (ys[after] - y) * (x - xs[after - 1]) / (xs[after] - xs[after - 1]);
};
const spread = (wanted, gap, low, high) => {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const placed = [...wanted];
  let free = low;
  for (const i of order) { placed[i] = Math.max(placed[i], free); free = placed[i] + gap; }
  free = high;
  for (const i of order.reverse()) { placed[i] = Math.min(placed[i], free); free = placed[i] - gap; }
  return placed;
};

/* Drawing. */
const path = points => points.map(([x, y], i) => (i ? 'L' : 'M') + x.toFixed(1) + ' ' + y.toFixed(1))
  .join('');
const draw = (name, attributes, words) => {
  const it = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const key in attributes) it.setAttribute(key, attributes[key]);
  if (words) it.textContent = words;
  return it;
};
const frameOf = svg => {
  const left = +svg.dataset.left, right = +svg.dataset.right;
  const panels = all('.panel', svg);
  return {left, right, width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height, panels,
    top: +panels[0].dataset.top, bottom: +panels[panels.length - 1].dataset.bottom};
};
const placeOf = (frame, view) => x =>
  frame.left + (frame.right - frame.left) * (x - view.from) / (view.to - view.from);

const redraw = (svg, chart, view) => {
  const frame = frameOf(svg), at = placeOf(frame, view);
  const inside = x => Math.min(frame.right, Math.max(frame.left, at(x)));
  chart.shades.forEach(([from, to], i) => {
    all(`[data-shade="${i}"]`, svg).forEach(it => {
      it.setAttribute('x', inside(from));
      it.setAttribute('width', Math.max(inside(to) - inside(from), to < view.from || from > view.to ? 0 : 1));
    });
    all(`[data-shade-name="${i}"]`, svg).forEach(it => {
      it.style.display = to < view.from || from > view.to ? 'none' : '';
      const half = it.textContent.length * 3.3, middle = (inside(from) + inside(to)) / 2;
      it.setAttribute('text-anchor', 'middle');
      it.setAttribute('x', Math.max(frame.left + half, Math.min(middle, frame.width - half - 2)));
    });
  });
  frame.panels.forEach((g, i) => redrawPanel(g, chart, chart.panels[i], view, frame, at));
  const along = svg.querySelector('.along');
  const most = frame.width > 500 ? 8 : 5;
  let marks = chart.axis.marks
    ? chart.axis.marks.filter(([x]) => x >= view.from && x <= view.to)
    : ticks(view.from, view.to, most, 'time');
  if (chart.axis.marks) marks = marks.filter((_, k) => k % Math.ceil(marks.length / most / 1.5) === 0);
  along.replaceChildren(...marks.flatMap(([x, label]) => [
    draw('path', {class: 'axis', d: path([[at(x), frame.bottom], [at(x), frame.bottom + 4]])}),
    draw('text', {class: 'muted', 'text-anchor': 'middle', x: at(x), y: frame.bottom + 18}, label)]));
};

const redrawPanel = (g, chart, panel, view, frame, at) => {
  const top = +g.dataset.top, bottom = +g.dataset.bottom;
  const whole = view.from === chart.axis.from && view.to === chart.axis.to;
  const seen = panel.lines.map(line => {
    const xs = chart.x[line.x], part = ys => ys.length ? cut(joined(xs, ys, line.shape), view.from, view.to) : [];
    return {line, points: part(line.y), low: part(line.band.map(it => it[0])),
      high: part(line.band.map(it => it[1]))};
  });
  const highest = seen.flatMap(it => [...it.points, ...it.high]).reduce((most, p) => Math.max(most, p[1]), 0);
  const near = ([, value]) => whole || 2 * highest >= value;
  const most = Math.max(highest, ...panel.bounds.filter(near).map(it => it[1])) || 1;
  const up = y => bottom - y * (bottom - top - 4) / most;
  const put = ([x, y]) => [at(x), up(y)];
  g.dataset.most = most;
  g.querySelector('.scale').replaceChildren(...ticks(0, most, 4, panel.quantity).flatMap(([y, label]) => [
    draw('path', {class: y ? 'grid' : 'axis', d: path([[frame.left, up(y)], [frame.right, up(y)]])}),
    draw('text', {class: 'muted', 'text-anchor': 'end', x: frame.left - 7, y: up(y) + 4}, label)]));
  panel.bounds.forEach((bound, k) => {
    const it = g.querySelector(`[data-bound="${k}"]`);
    it.style.display = near(bound) ? '' : 'none';
    it.setAttribute('d', path([[frame.left, up(bound[1])], [frame.right, up(bound[1])]]));
  });
  const dots = all('.dot', g);
  seen.forEach(({line, points, low, high}, k) => {
    g.querySelector(`[data-line="${k}"]`).setAttribute('d', path(points.map(put)));
    const band = g.querySelector(`[data-band="${k}"]`);
    if (band) band.setAttribute('d', path([...high, ...low.reverse()].map(put)) + 'Z');
    if (line.shape === 'dots') chart.x[line.x].forEach((x, i) => {
      const dot = dots.shift();
      dot.style.display = x < view.from || x > view.to ? 'none' : '';
      dot.setAttribute('cx', at(x));
      dot.setAttribute('cy', up(line.y[i]));
    });
  });
  const names = all('.name', g);
  const ends = seen.map(it => it.points.length ? up(it.points[it.points.length - 1][1]) : bottom)
    .concat(panel.bounds.map(it => near(it) ? up(it[1]) : bottom));
  spread(ends, 17, top + 4, bottom).forEach((y, k) => {
    if (!names[k]) return;
    const bound = panel.bounds[k - seen.length];
    names[k].style.display = bound && !near(bound) ? 'none' : '';
    names[k].querySelector('path').setAttribute('d',
      path([[frame.right, ends[k]], [frame.right + 4, ends[k]], [frame.right + 14, y]]));
    names[k].querySelector('text').setAttribute('y', y + 4.5);
  });
};

/* A group: charts over one axis, read and zoomed together. */
const groupOf = box => {
  const charts = all('.chart', box).map(figure => ({figure, chart: data[figure.dataset.chart],
    plots: figure.querySelector('.plots'), tip: make('div', {className: 'tip', hidden: true})}));
  const {axis} = charts[0].chart;
  const inTime = !axis.marks;
  const view = {from: axis.from, to: axis.to};
  const word = x => inTime ? show(x, 'time')
    : axis.name + ' = ' + axis.marks.reduce((a, b) => Math.abs(b[0] - x) < Math.abs(a[0] - x) ? b : a)[1];
  const moments = inTime ? all('tr[data-t]').map(row => ({row, t: +row.dataset.t,
    text: row.cells[1].textContent})) : [];
  const said = make('p', {className: 'unseen'});
  said.setAttribute('aria-live', 'polite');
  let now, shown;

  const places = chart => chart.x.reduce((a, b) => b.length > a.length ? b : a, []);
  const snapped = (chart, x) => places(chart).filter(it => it >= view.from && it <= view.to)
    .reduce((a, b) => Math.abs(b - x) < Math.abs(a - x) ? b : a, Infinity);

  const read = ({chart}) => chart.panels.map(panel => ({panel, values: panel.lines.map(line => {
    const xs = chart.x[line.x], value = valueAt(xs, line.y, line.shape, now);
    const end = side => show(valueAt(xs, line.band.map(it => it[side]), line.shape, now), panel.quantity);
    return {line, value, text: show(value, panel.quantity)
      + (line.band.length ? ` (${end(0)} to ${end(1)})` : '')};
  })}));

  const cross = () => {
    for (const {figure, chart} of charts) for (const svg of all('svg', figure)) {
      all('.cross', svg).forEach(it => it.remove());
      if (now === undefined || now < view.from || now > view.to) continue;
      const frame = frameOf(svg), x = placeOf(frame, view)(now);
      const g = draw('g', {class: 'cross'});
      g.append(draw('path', {d: path([[x, frame.top], [x, frame.bottom]])}));
      read({chart}).forEach(({values}, i) => {
        const {top, bottom, most} = frame.panels[i].dataset;
        for (const {line, value} of values) if (value !== undefined) g.append(draw('circle', {
          class: 'c' + line.colour, cx: x, cy: bottom - value * (bottom - top - 4) / most, r: 3.5}));
      });
      svg.append(g);
    }
    for (const {row, t} of moments) row.classList.toggle('near', isNear(t));
  };
  const isNear = t => now !== undefined && Math.abs(t - now) <= (view.to - view.from) / 200;

  const tell = one => {
    for (const {tip} of charts) tip.hidden = true;
    if (now === undefined || now < view.from || now > view.to || !one) { said.textContent = ''; return; }
    const {tip, plots} = one, lines = [make('b', {textContent: word(now)})];
    for (const {panel, values} of read(one)) {
      if (one.chart.panels.length > 1) lines.push(make('i', {textContent: panel.heading}));
      for (const {line, text} of [...values].sort((a, b) => (b.value ?? -1) - (a.value ?? -1))) {
        const swatch = make('span', {className: 'swatch'});
        swatch.style.background = `var(--c${line.colour})`;
        lines.push(make('div', {}, swatch, line.name + ' ', make('b', {textContent: text})));
      }
    }
    for (const [from, to, label] of one.chart.shades)
      if (now >= from && now <= to) lines.push(make('i', {textContent: label}));
    for (const it of moments) if (isNear(it.t)) lines.push(make('i', {textContent: it.text}));
    tip.replaceChildren(...lines);
    tip.hidden = false;
    const svg = all('svg', plots).find(it => it.getBoundingClientRect().width);
    const frame = frameOf(svg), share = placeOf(frame, view)(now) / frame.width;
    const right = share > .5;
    tip.style.left = right ? '' : `calc(${100 * share}% + 10px)`;
    tip.style.right = right ? `calc(${100 - 100 * share}% + 10px)` : '';
    tip.style.top = 100 * frame.top / frame.height + '%';
    said.textContent = lines.map(it => it.textContent).join('; ');
    shown = one;
  };
  const point = (x, one) => { now = x; cross(); tell(one); };

  const range = make('output');
  const look = (from, to) => {
    const whole = axis.to - axis.from, least = whole * 1e-6;
    const wide = Math.min(whole, Math.max(to - from, least));
    view.from = Math.min(Math.max(from, axis.from), axis.to - wide);
    view.to = view.from + wide;
    if (wide === whole) [view.from, view.to] = [axis.from, axis.to];
    for (const {figure, chart} of charts) for (const svg of all('svg', figure)) redraw(svg, chart, view);
    const isWhole = wide === whole;
    atMost(isWhole);
    range.textContent = isWhole ? '' : `${word(view.from)} to ${word(view.to)}`;
    cross();
    tell(now === undefined ? undefined : shown);
  };
  const zoom = by => {
    const about = now !== undefined && now >= view.from && now <= view.to ? now
      : (view.from + view.to) / 2;
    look(about - (about - view.from) * by, about + (view.to - about) * by);
  };
  const shift = by => look(view.from + by * (view.to - view.from), view.to + by * (view.to - view.from));
  const whole = () => look(axis.from, axis.to);
  const button = (label, text, does) => {
    const it = make('button', {type: 'button', textContent: text, title: label, onclick: does});
    it.setAttribute('aria-label', label);
    return it;
  };
  const buttons = {
    in: button('Zoom in', '+', () => zoom(.5)),
    out: button('Zoom out', '−', () => zoom(2)),
    left: button('Move to the left', '←', () => shift(-.5)),
    right: button('Move to the right', '→', () => shift(.5)),
    whole: button('Show all', 'All', whole),
  };
  const hint = make('span', {className: 'muted',
    textContent: 'Drag over a chart to zoom; in a chart, arrow keys read values.'});
  const atMost = is => ['out', 'left', 'right', 'whole'].forEach(name => { buttons[name].disabled = is; });
  const tools = make('div', {className: 'tools'}, ...Object.values(buttons), range, hint);
  tools.setAttribute('role', 'group');
  tools.setAttribute('aria-label', 'Zoom of the charts');
  box.prepend(tools, said);

  const move = (one, by) => {
    const inView = places(one.chart).filter(it => it >= view.from && it <= view.to);
    const least = (view.to - view.from) / 200;
    if (now === undefined || !inView.length) return point(inView[by > 0 ? 0 : inView.length - 1], one);
    const on = by > 0 ? inView.find(it => it >= now + least || (it > now && it === inView[inView.length - 1]))
      : inView.findLast(it => it <= now - least || (it < now && it === inView[0]));
    point(on === undefined ? now : on, one);
  };
  for (const one of charts) {
    const {plots, chart} = one;
    plots.tabIndex = 0;
    plots.setAttribute('role', 'group');
    plots.setAttribute('aria-label', one.figure.getAttribute('aria-label')
      + '. Arrow keys read values, with Shift they move the view; plus and minus zoom, 0 shows all.');
    plots.append(one.tip);
    plots.addEventListener('keydown', event => {
      const keys = {
        ArrowLeft: () => event.shiftKey ? shift(-.25) : move(one, -1),
        ArrowRight: () => event.shiftKey ? shift(.25) : move(one, 1),
        Home: () => point(snapped(chart, view.from), one), End: () => point(snapped(chart, view.to), one),
        '+': () => zoom(.5), '=': () => zoom(.5), '-': () => zoom(2), 0: whole,
        Escape: () => { point(undefined, one); whole(); },
      };
      if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    plots.addEventListener('blur', () => point(undefined, one));
    for (const svg of all('svg', plots)) byPointer(svg, one);
  }

  function byPointer(svg, one) {
    let from, band;
    const under = event => {
      const box = svg.getBoundingClientRect(), frame = frameOf(svg);
      const x = (event.clientX - box.left) / box.width * frame.width;
      const share = (x - frame.left) / (frame.right - frame.left);
      return view.from + Math.min(1, Math.max(0, share)) * (view.to - view.from);
    };
    svg.addEventListener('pointerdown', event => {
      if (event.pointerType === 'touch' || event.button) return;
      from = under(event);
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener('pointermove', event => {
      const to = under(event);
      if (from !== undefined) {
        const frame = frameOf(svg), at = placeOf(frame, view);
        if (!band) svg.append(band = draw('rect', {class: 'chosen'}));
        band.setAttribute('x', Math.min(at(from), at(to)));
        band.setAttribute('width', Math.abs(at(to) - at(from)));
        band.setAttribute('y', frame.top);
        band.setAttribute('height', frame.bottom - frame.top);
      }
      point(snapped(one.chart, to), one);
    });
    svg.addEventListener('pointerup', event => {
      const to = under(event), start = from;
      if (band) band.remove();
      from = band = undefined;
      if (start !== undefined && Math.abs(to - start) > (view.to - view.from) / 100)
        look(Math.min(start, to), Math.max(start, to));
    });
    svg.addEventListener('pointercancel', () => { if (band) band.remove(); from = band = undefined; });
    svg.addEventListener('pointerleave', () => { if (from === undefined) point(undefined, one); });
    svg.addEventListener('dblclick', whole);
  }

  /* The timeline points to the charts. */
  for (const {row, t} of moments) {
    const cell = row.cells[0], to = button(`Show ${cell.textContent} in the charts`, cell.textContent, () => {
      if (t < view.from || t > view.to) whole();
      charts[0].figure.scrollIntoView({block: 'center'});
      charts[0].plots.focus({preventScroll: true});
      point(t, charts[0]);
    });
    to.className = 'link';
    cell.replaceChildren(to);
    row.addEventListener('pointerenter', () => point(t, charts[0]));
    row.addEventListener('pointerleave', () => point(undefined));
  }
  atMost(true);
  return {inTime, look, point: (t) => point(t, charts[0])};
};
const groups = all('.charts').map(groupOf);

/* `#t=83.3` shows an instant, `#t=80,100` a span of time. */
const follow = () => {
  const asked = /^#t=([\d.]+)(?:,([\d.]+))?$/.exec(location.hash);
  if (!asked) return;
  for (const it of groups) if (it.inTime) {
    if (asked[2]) it.look(+asked[1], +asked[2]); else it.point(+asked[1]);
  }
};
addEventListener('hashchange', follow);
follow();

/* Files and commands can be copied. */
for (const box of all('.code')) {
  const copy = make('button', {type: 'button', textContent: 'Copy'});
  copy.addEventListener('click', async () => {
    const text = box.querySelector('code').textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(box.querySelector('code'));
      document.execCommand('copy');
    }
    copy.textContent = 'Copied';
    setTimeout(() => { copy.textContent = 'Copy'; }, 2000);
  });
  box.prepend(copy);
}
document.documentElement.dataset.script = 'on';
})();
