import type { ReportTable } from '@ensaio/domain'

/** A table as it is printed: three horizontal rules, none upright. */
export function PlainTable({
  table: { titulo, colunas, linhas, rodape, notas },
  titled = false,
}: {
  table: ReportTable
  titled?: boolean
}) {
  return (
    <div className="flex flex-col gap-2 px-5 pb-4">
      {titled && <p className="font-medium">{titulo}</p>}
      <div tabIndex={0} className="table-frame relative overflow-x-auto">
        <table className="figures w-full border-collapse border-y border-text">
          <caption className="sr-only">{titulo}</caption>
          <thead>
            <tr className="border-b border-text">
              {colunas.map(({ nome, numerica }, at) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the table
                  key={at}
                  scope="col"
                  className={`px-2 py-1.5 font-medium ${numerica ? 'text-right' : 'text-left'}`}
                >
                  {nome}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {linhas.map((line) => (
              <tr key={line.join('|')}>
                {line.map((cell, at) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place in the line
                    key={at}
                    className={`px-2 py-1 ${colunas[at]?.numerica ? 'text-right whitespace-nowrap' : ''}`}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
            {rodape.map(([name, value], at) => (
              <tr key={name} className={at === 0 ? 'border-t border-text' : ''}>
                <td colSpan={Math.max(1, colunas.length - 1)} className="px-2 py-1">
                  {name}
                </td>
                <td className="px-2 py-1 text-right whitespace-nowrap">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {notas.map((note) => (
        <p key={note} className="text-small text-muted">
          {note}
        </p>
      ))}
    </div>
  )
}
