/** Formats rows of cells, headings first. The first `texts` columns are aligned left, the others right. */
export function table(rows: readonly (readonly string[])[], texts?: number): string
