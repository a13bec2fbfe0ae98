import { withoutFormula } from '@ensaio/domain'

interface Table {
  headerRow: readonly string[]
  observationVariables: readonly { observationVariableDbId: string; observationVariableName: string }[]
  data: readonly (readonly string[])[]
}

/** What a table is asked for as; null for JSON. */
export const tableType = (accept: string | undefined): 'text/csv' | 'text/tsv' | null =>
  /text\/csv/i.test(accept ?? '')
    ? 'text/csv'
    : /text\/(tsv|tab-separated-values)/i.test(accept ?? '')
      ? 'text/tsv'
      : null

/** Two header lines: ids of the variables, then their names. A cell that a spreadsheet would compute is a text. */
export function asTable({ headerRow, observationVariables, data }: Table, between: string): string {
  const cell = (text: string) => `"${withoutFormula(text).replaceAll('"', '""')}"`
  const line = (cells: readonly string[]) => cells.map(cell).join(between)
  return [
    line([...headerRow, ...observationVariables.map((one) => one.observationVariableDbId)]),
    line([...headerRow.map(() => ''), ...observationVariables.map((one) => one.observationVariableName)]),
    ...data.map(line),
    '',
  ].join('\r\n')
}
