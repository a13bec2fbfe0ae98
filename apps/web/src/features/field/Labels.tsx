import { useState } from 'react'
import { encode } from 'uqr'
import type { FieldPlot, Trial } from '../../field-store/trial.ts'
import { trialPath } from './address.tsx'
import { Choice, Page, Tick, Touch } from './parts.tsx'
import { QueueLine } from './QueueLine.tsx'
import { Labelled } from './SignIn.tsx'

/** Sheets and rolls as they are sold; all in millimetres. */
interface LabelSheet {
  label: string
  page: [number, number]
  across: number
  down: number
  width: number
  height: number
  top: number
  left: number
  gap: number
}
const A4: [number, number] = [210, 297]
const SHEETS = {
  '2x7': {
    ...{ label: 'A4, 2 × 7 (99,1 × 38,1 mm)', page: A4, across: 2, down: 7, width: 99.1, height: 38.1 },
    ...{ top: 15.15, left: 4.65, gap: 2.5 },
  },
  '3x8': {
    ...{ label: 'A4, 3 × 8 (63,5 × 33,9 mm)', page: A4, across: 3, down: 8, width: 63.5, height: 33.9 },
    ...{ top: 12.9, left: 7.25, gap: 2.5 },
  },
  '4x10': {
    ...{ label: 'A4, 4 × 10 (48,5 × 25,4 mm)', page: A4, across: 4, down: 10, width: 48.5, height: 25.4 },
    ...{ top: 21.5, left: 8, gap: 0 },
  },
  '50x30': {
    ...{ label: 'Térmica, 50 × 30 mm', page: [50, 30], across: 1, down: 1, width: 50, height: 30 },
    ...{ top: 0, left: 0, gap: 0 },
  },
  '60x40': {
    ...{ label: 'Térmica, 60 × 40 mm', page: [60, 40], across: 1, down: 1, width: 60, height: 40 },
    ...{ top: 0, left: 0, gap: 0 },
  },
} as const satisfies Record<string, LabelSheet>
type SheetKey = keyof typeof SHEETS

/** The code itself is of at least 18 mm; the quiet edge around it, in its own squares, comes on top. */
const CODE_MM = 18.2
const EDGE = 2

/** Labels of all plots, printed from this page in exact millimetres. */
export function Labels({ trial }: { trial: Trial }) {
  const [key, setKey] = useState<SheetKey>('3x8')
  const [start, setStart] = useState(1)
  const [marks, setMarks] = useState(false)
  const [names, setNames] = useState(true)
  const sheet: LabelSheet = SHEETS[key]
  const each = sheet.across * sheet.down
  const from = each === 1 ? 0 : Math.min(each, Math.max(1, start)) - 1
  const cells: (FieldPlot | null)[] = [...Array<null>(from).fill(null), ...trial.pack.parcelas]
  const pages = Array.from({ length: Math.ceil(cells.length / each) }, (_, n) =>
    cells.slice(n * each, (n + 1) * each),
  )
  const options = Object.fromEntries(Object.entries(SHEETS).map(([one, { label }]) => [one, label]))
  return (
    <>
      <style>{`@page { size: ${sheet.page[0]}mm ${sheet.page[1]}mm; margin: 0 }`}</style>
      <div className="no-print">
        <Page
          title="Etiquetas"
          back={{ to: trialPath(trial.experimento), label: 'Ensaio' }}
          status={<QueueLine />}
        >
          <p className="figures">
            {trial.pack.parcelas.length} etiquetas em {pages.length}{' '}
            {pages.length === 1 ? 'página' : 'páginas'}. Imprima em tamanho real (100%), sem ajustar à página;
            o PDF sai pela própria janela de impressão.
          </p>
          <Choice label="Papel" value={key} options={options as Record<SheetKey, string>} onValue={setKey} />
          {each > 1 && (
            <Labelled
              name="inicio"
              type="number"
              label="Começar na etiqueta"
              min={1}
              max={each}
              value={start}
              onChange={(event) => setStart(Number(event.target.value) || 1)}
            />
          )}
          <Tick label="Marcas de corte" checked={marks} onChange={setMarks} />
          <Tick label="Tratamento na etiqueta" checked={names} onChange={setNames} />
          <Touch variant="primary" className="touch-main" onClick={() => window.print()}>
            Imprimir etiquetas
          </Touch>
        </Page>
      </div>
      <div aria-hidden className="only-paper">
        {pages.map((page, n) => (
          <div
            key={page[0]?.id ?? page.find((one) => one !== null)?.id ?? n}
            className="label-page"
            style={{ width: `${sheet.page[0]}mm`, height: `${sheet.page[1]}mm` }}
          >
            {page.map((plot, at) =>
              plot === null ? null : (
                <div
                  key={plot.id}
                  className={marks ? 'label-box label-marks' : 'label-box'}
                  style={{
                    left: `${sheet.left + (at % sheet.across) * (sheet.width + sheet.gap)}mm`,
                    top: `${sheet.top + Math.floor(at / sheet.across) * sheet.height}mm`,
                    width: `${sheet.width}mm`,
                    height: `${sheet.height}mm`,
                  }}
                >
                  <Code text={labelAddress(plot.codigo)} />
                  <div className="label-words">
                    <p className="label-number">{plot.numero}</p>
                    <p className="label-place">
                      {[
                        plot.bloco === null ? '' : `Bloco ${plot.bloco}`,
                        plot.linha === null ? '' : `L${plot.linha} C${plot.coluna}`,
                        names && plot.nome !== null ? plot.tratamento : '',
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </p>
                    <p>{trial.pack.nome}</p>
                  </div>
                </div>
              ),
            )}
          </div>
        ))}
      </div>
    </>
  )
}

/** In capitals, so that the code is small and large-grained. */
const labelAddress = (code: string): string => `${location.origin}/q/${code}`.toUpperCase()

function Code({ text }: { text: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: EDGE })
  const side = ((CODE_MM * size) / (size - 2 * EDGE)).toFixed(2)
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={`${side}mm`}
      height={`${side}mm`}
      shapeRendering="crispEdges"
      aria-hidden
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
