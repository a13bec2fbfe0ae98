import { Download, Image, Printer, Shapes, Table2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { downloadCsv, downloadText, downloadUrl } from '../ui/download.ts'
import { Card, CardHeader, EmptyState } from '../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../ui/Table.tsx'
import { useTheme } from '../ui/theme.ts'
import { toast } from '../ui/toast.tsx'
import { Bars, type BarsPicture } from './Bars.tsx'
import { Chart, type ChartHandle } from './Chart.tsx'
import type { Drawn } from './data.ts'
import { type Picture, pngOf, svgOf } from './framed.ts'
import { useMark, useOrigin } from './mark.ts'

export type TableView = {
  columns: readonly { name: string; numeric?: boolean }[]
  count: number
  /** Cells as shown, in the table and in the CSV; made when asked for. */
  rows: () => readonly { key: string; cells: readonly string[]; onPick?: () => void }[]
}

/** Drawn on a canvas, in pixels. */
type CanvasPicture = { draw: Drawn; height: number }
/** Part of the page itself; away from it, it is drawn. */
type PagePicture = { element: ReactNode; drawn: Picture | null }

type Props = {
  title: string
  subtitle: string
  picture: BarsPicture | CanvasPicture | PagePicture
  table: TableView
  onPick?: (index: number) => void
  empty?: string
  /** Said below; empty, it keeps its line. */
  note?: ReactNode
  className?: string
  /** What is chosen of it, in a line of their own. */
  controls?: ReactNode
  level?: 2 | 3
}

/** A chart with its title, unit and n, the same data as a table, and both to take away. */
export function ChartCard({
  title,
  subtitle,
  picture,
  table,
  onPick,
  empty,
  note,
  className,
  controls,
  level = 3,
}: Props) {
  const [theme] = useTheme()
  const [asTable, setAsTable] = useState(false)
  const chart = useRef<ChartHandle>(null)
  const mark = useMark()
  const said = mark ? `${subtitle} · ${mark.toLowerCase()}` : subtitle
  const filename = mark ? `${title} (${mark.toLowerCase()})` : title
  const isEmpty = table.count === 0
  const taken = () => ('element' in picture ? picture.drawn : (chart.current?.picture() ?? null))
  const origin = useOrigin()
  const caption = { title, lines: [said, ...origin] }
  return (
    <Card {...(className ? { className } : {})}>
      <CardHeader
        title={title}
        subtitle={said}
        level={level}
        actions={
          isEmpty ? undefined : (
            <>
              <IconButton
                label={asTable ? 'Ver como gráfico' : 'Ver como tabela'}
                aria-pressed={asTable}
                onClick={() => setAsTable(!asTable)}
              >
                <Table2 aria-hidden />
              </IconButton>
              {!('element' in picture && picture.drawn === null) && (
                <>
                  <IconButton
                    label="Baixar PNG"
                    disabled={asTable}
                    onClick={() => {
                      const drawn = taken()
                      if (drawn) downloadUrl(pngOf(drawn, caption), `${filename}.png`)
                    }}
                  >
                    <Image aria-hidden />
                  </IconButton>
                  <IconButton
                    label="Imagem para impressão"
                    className="max-sm:hidden"
                    disabled={asTable}
                    onClick={() => {
                      const drawn = taken()
                      if (drawn)
                        downloadUrl(pngOf(drawn, caption, { print: true }), `${filename} (impressão).png`)
                    }}
                  >
                    <Printer aria-hidden />
                  </IconButton>
                  <IconButton
                    label="Baixar SVG"
                    disabled={asTable}
                    onClick={() => {
                      const drawn = taken()
                      if (!drawn) return
                      svgOf(drawn, caption).then(
                        (text) => downloadText(`${filename}.svg`, text, 'image/svg+xml'),
                        () =>
                          toast.error(
                            'O SVG não pôde ser desenhado',
                            'Verifique a conexão e tente novamente.',
                          ),
                      )
                    }}
                  >
                    <Shapes aria-hidden />
                  </IconButton>
                </>
              )}
              <IconButton
                label="Baixar CSV"
                onClick={() =>
                  downloadCsv(
                    `${filename}.csv`,
                    table.columns.map((column) => column.name),
                    [...table.rows().map((row) => row.cells), ...(mark ? [[mark]] : [])],
                  )
                }
              >
                <Download aria-hidden />
              </IconButton>
            </>
          )
        }
      />
      {controls && <div className="no-print flex flex-wrap items-center gap-2 px-5 pb-3">{controls}</div>}
      <div className="px-5 pb-5">
        {isEmpty ? (
          <EmptyState title={empty ?? 'Sem dados para mostrar'} />
        ) : asTable ? (
          <Table label="Valores do gráfico" className="max-h-80">
            <thead>
              <tr>
                {table.columns.map((column) => (
                  <Head key={column.name} numeric={column.numeric ?? false}>
                    {column.name}
                  </Head>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows().map((row) => (
                <Row key={row.key}>
                  {row.cells.map((cell, index) => (
                    <Cell key={table.columns[index]?.name} numeric={table.columns[index]?.numeric ?? false}>
                      {index === 0 && row.onPick ? (
                        <button
                          type="button"
                          onClick={row.onPick}
                          className="text-accent underline-offset-4 hover:underline"
                        >
                          {cell}
                        </button>
                      ) : (
                        cell
                      )}
                    </Cell>
                  ))}
                </Row>
              ))}
            </tbody>
          </Table>
        ) : 'element' in picture ? (
          picture.element
        ) : 'data' in picture ? (
          <Bars ref={chart} {...picture} {...(onPick ? { onPick } : {})} />
        ) : (
          <>
            <Chart ref={chart} {...picture} theme={theme} {...(onPick ? { onPick } : {})} />
            <p className="sr-only">Gráfico desenhado. Use “Ver como tabela” para ler os valores.</p>
          </>
        )}
        {note !== undefined && <div className="mt-3 min-h-4.5 text-small text-muted">{note}</div>}
      </div>
    </Card>
  )
}
