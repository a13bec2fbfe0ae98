import {
  CODE_EDGE,
  codePath,
  codeSideMm,
  LABEL_SHEETS,
  type LabelSheet,
  type LabelSheetKey,
  labelAddress,
  labelCorner,
  labelPlace,
  labelsBefore,
} from '@ensaio/domain'
import { useState } from 'react'
import { encode } from 'uqr'
import { labelsFile } from '../../api/field-client.ts'
import type { FieldPlot, Trial } from '../../field-store/trial.ts'
import { trialPath } from './address.tsx'
import { field } from './field.ts'
import { Choice, Notice, Page, Tick, Touch } from './parts.tsx'
import { QueueLine } from './QueueLine.tsx'
import { Labelled } from './SignIn.tsx'
import { handOver } from './save-copy.ts'

/** Labels of all plots, printed from this page in exact millimetres. */
export function Labels({ trial }: { trial: Trial }) {
  const [key, setKey] = useState<LabelSheetKey>('3x8')
  const [start, setStart] = useState(1)
  const [marks, setMarks] = useState(false)
  const [names, setNames] = useState(true)
  const [making, setMaking] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const sheet: LabelSheet = LABEL_SHEETS[key]
  const each = sheet.across * sheet.down
  const from = labelsBefore(sheet, start)
  const cells: (FieldPlot | null)[] = [...Array<null>(from).fill(null), ...trial.pack.parcelas]
  const pages = Array.from({ length: Math.ceil(cells.length / each) }, (_, n) =>
    cells.slice(n * each, (n + 1) * each),
  )
  const save = async () => {
    setMaking(true)
    setError(null)
    const organization = trial.organizacao === '' ? null : trial.organizacao
    const query = { papel: key, inicio: from + 1, marcas: marks ? '1' : '0', tratamento: names ? '1' : '0' }
    const answer = await field.ask((token) =>
      labelsFile({ token, organization, id: trial.experimento }, query),
    )
    if (answer.kind === 'ok') {
      const file = new File([answer.body], 'etiquetas.pdf', { type: 'application/pdf' })
      await handOver(file, 'Etiquetas')
    } else if (answer.kind === 'refused') setError(answer.detail)
    else if (answer.kind === 'none')
      setError('Sem internet: o PDF é feito no servidor. Imprima daqui ou tente de novo com internet.')
    else setError('Entre de novo para baixar o PDF.')
    setMaking(false)
  }
  const options = Object.fromEntries(Object.entries(LABEL_SHEETS).map(([one, { label }]) => [one, label]))
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
            {pages.length === 1 ? 'página' : 'páginas'}. Imprima em tamanho real (100%), sem ajustar à página.
            O PDF tem as mesmas medidas e precisa de internet.
          </p>
          <Choice
            label="Papel"
            value={key}
            options={options as Record<LabelSheetKey, string>}
            onValue={setKey}
          />
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
          <Touch className="touch-main" busy={making} onClick={() => void save()}>
            {making ? 'Fazendo o PDF…' : 'Baixar PDF'}
          </Touch>
          {error && <Notice tone="danger">{error}</Notice>}
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
                    left: `${labelCorner(sheet, at).x}mm`,
                    top: `${labelCorner(sheet, at).y}mm`,
                    width: `${sheet.width}mm`,
                    height: `${sheet.height}mm`,
                  }}
                >
                  <Code text={labelAddress(location.origin, plot.codigo)} />
                  <div className="label-words">
                    <p className="label-number">{plot.numero}</p>
                    <p className="label-place">{labelPlace(plot, names)}</p>
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

function Code({ text }: { text: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: CODE_EDGE })
  const side = `${codeSideMm(size)}mm`
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={side} height={side} shapeRendering="crispEdges" aria-hidden>
      <path d={codePath(data)} fill="#000" />
    </svg>
  )
}
