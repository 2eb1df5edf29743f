// Sort tables by a click on a heading, and filter the table of instances. The page is complete without it.
const value = (row, i) => {
  const cell = row.cells[i];
  const key = cell.querySelector('[data-value]');
  const text = cell.textContent.trim();
  const number = key ? Number(key.dataset.value) : Number(text);
  return text === '' ? Infinity : Number.isNaN(number) ? text : number;
};
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, i) => {
    let direction = -1;
    heading.addEventListener('click', () => {
      direction = -direction;
      const rows = [...body.rows].map((row) => [value(row, i), row]);
      const order = ([a], [b]) => {
        if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
        return typeof a === 'number' ? (a === b ? 0 : a - b) : a.localeCompare(b);
      };
      rows.sort((a, b) => direction * order(a, b));
      body.append(...rows.map(([, row]) => row));
    });
  });
}
const search = document.getElementById('search');
search.addEventListener('input', () => {
  const wanted = search.value.toLowerCase();
  for (const row of document.querySelectorAll('table.instances tbody tr')) {
    row.hidden = !row.textContent.toLowerCase().includes(wanted);
  }
});
