/** Formats rows of cells, headings first. The first `texts` columns are aligned left, the others right. */
export function table([headings, ...rows], texts = 1) {
  const widths = headings.map((_, column) =>
    Math.max(3, ...[headings, ...rows].map((row) => row[column].length)),
  )
  const line = (cells) => `| ${cells.join(' | ')} |`
  const padded = (row) =>
    line(
      row.map((cell, column) =>
        column < texts ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      ),
    )
  const rule = widths.map((width, column) =>
    column < texts ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [padded(headings), line(rule), ...rows.map(padded)].join('\n')
}
