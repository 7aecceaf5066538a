/** A table with the name of each row in front, for the `%s` of a title: `$does` there comes in quotes and cut short. */
export function named<Row extends { does: string }>(rows: Row[]): [does: string, row: Row][] {
  return rows.map((row) => [row.does, row])
}
