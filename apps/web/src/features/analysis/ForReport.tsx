import {
  type AnalysisAnswer,
  type AnalysisQuery,
  anovaTable,
  type Experiment,
  type PairTestName,
  reportTables,
  TEST_NAMES,
  tableHtml,
  tableText,
} from '@ensaio/domain'
import { ClipboardCopy, Download, Stamp } from 'lucide-react'
import { useRef, useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { createRequestKey } from '../../api/request-key.ts'
import { useSource } from '../../api/source.ts'
import { useMay } from '../../shell/organization.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { downloadCsv } from '../../ui/download.ts'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { PlainTable } from './PlainTable.tsx'
import { Records } from './Records.tsx'
import { useReportEconomics } from './report-economics.ts'

type Props = {
  experiment: Experiment
  analysis: AnalysisAnswer
  query: AnalysisQuery
  test: PairTestName
  anyway: boolean
}

/** What leaves the page: the table, the sentences, the references, and the record that a publication rests on. */
export function ForReport({ experiment, analysis, query, test, anyway }: Props) {
  const source = useSource()
  const may = useMay()
  const [recording, setRecording] = useState(false)
  const economics = useReportEconomics(experiment, analysis)
  const tables = reportTables(analysis, { experiment, test, anyway }).map(economics.added)
  if (tables.length === 0) return null
  const record =
    source.name === 'demo'
      ? { allowed: false as const, reason: 'Dados de demonstração não podem ser alterados' }
      : may('analysis.record', experiment)
  const sentences = Object.values(analysis.frases)
  const copy = async (rich: boolean) => {
    const plain = tables.map(tableText).join('\n\n')
    try {
      if (rich && 'ClipboardItem' in window)
        await navigator.clipboard.write([
          new ClipboardItem({
            'text/html': new Blob([tables.map(tableHtml).join('<br>')], { type: 'text/html' }),
            'text/plain': new Blob([plain], { type: 'text/plain' }),
          }),
        ])
      else await navigator.clipboard.writeText(plain)
      toast.success('Tabela copiada')
    } catch {
      toast.error('O navegador não deixou copiar')
    }
  }
  return (
    <Card>
      <CardHeader
        title="Para o relatório"
        actions={
          <>
            <Button
              size="small"
              icon={<ClipboardCopy aria-hidden className="size-4" />}
              onClick={() => void copy(true)}
            >
              Copiar tabela
            </Button>
            <Button size="small" onClick={() => void copy(false)}>
              Copiar texto
            </Button>
            <Button
              size="small"
              icon={<Download aria-hidden className="size-4" />}
              onClick={() =>
                downloadCsv(
                  `${experiment.nome} - ${analysis.variavel.nome}.csv`,
                  [
                    'Efeito',
                    'Dentro de',
                    'Nível',
                    'n',
                    'Média',
                    'Ajustada',
                    'Erro padrão',
                    'IC baixo',
                    'IC alto',
                  ],
                  analysis.grupos.flatMap(({ efeito, dentro, medias }) =>
                    medias.map(({ nivel, n, media, ajustada, ep, ic_baixo, ic_alto }) => [
                      ...[efeito, dentro ? Object.values(dentro).join(', ') : '', nivel, String(n)],
                      ...[media, ajustada, ep, ic_baixo, ic_alto].map((value) =>
                        value === null ? '' : String(value).replace('.', ','),
                      ),
                    ]),
                  ),
                )
              }
            >
              CSV
            </Button>
            <Button
              size="small"
              variant="primary"
              icon={<Stamp aria-hidden className="size-4" />}
              disabled={!record.allowed}
              title={record.allowed ? undefined : record.reason}
              onClick={() => setRecording(true)}
            >
              Registrar análise
            </Button>
          </>
        }
      />
      {economics.offered && (
        <Checkbox
          className="no-print px-5 pb-3"
          label="Com ganho líquido e probabilidade de pagar"
          checked={economics.wanted}
          onChange={(event) => economics.want(event.target.checked)}
        />
      )}
      {tables.map((table) => (
        <PlainTable key={table.titulo} table={table} titled />
      ))}
      <details className="px-5 pb-3">
        <summary className="cursor-pointer text-small font-medium">Quadro da análise de variância</summary>
        <div className="-mx-5 pt-3">
          <PlainTable table={anovaTable(analysis)} />
        </div>
      </details>
      <div className="flex flex-col gap-1.5 border-t border-line px-5 py-4">
        <h3 className="font-semibold">Texto</h3>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p className="no-print pt-1">
          <Button
            size="small"
            onClick={() =>
              navigator.clipboard.writeText(sentences.join(' ')).then(
                () => toast.success('Texto copiado'),
                () => toast.error('O navegador não deixou copiar'),
              )
            }
          >
            Copiar frases
          </Button>
        </p>
      </div>
      <div className="border-t border-line px-5 py-4">
        <h3 className="pb-1.5 font-semibold">Referências</h3>
        <ul className="flex flex-col gap-1 text-small text-muted">
          {analysis.referencias.map((reference) => (
            <li key={reference}>{reference}</li>
          ))}
        </ul>
      </div>
      {source.name === 'server' && <Records experiment={experiment} mayWithdraw={record.allowed} />}
      {recording && (
        <RecordDialog
          experiment={experiment}
          analysis={analysis}
          query={query}
          test={test}
          onClose={() => setRecording(false)}
        />
      )}
    </Card>
  )
}

function RecordDialog({
  experiment,
  analysis,
  query,
  test,
  onClose,
}: Omit<Props, 'anyway'> & { onClose: () => void }) {
  const keyOf = useRef(createRequestKey()).current
  const [title, setTitle] = useState(
    `${analysis.variavel.nome}${analysis.avaliacao ? `, ${analysis.avaliacao.nome}` : ''}`,
  )
  const [conclusion, setConclusion] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const save = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const body = {
        ...(query as object),
        ...{ teste: test, titulo: title, conclusao: conclusion, dados_versao: analysis.dados_versao },
      }
      const { registro } = await call(
        'recordAnalysis',
        { params: { id: experiment.id }, body },
        { headers: { 'idempotency-key': keyOf(JSON.stringify([experiment.id, body])) } },
      )
      toast.success(
        registro.ordem > 1
          ? `Análise registrada: é a ${registro.ordem}ª desta variável`
          : 'Análise registrada',
      )
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'listAnalyses' })
      onClose()
    } catch (error) {
      setFailure(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Registrar análise"
      description={`Teste: ${TEST_NAMES[test]}. O registro guarda opções, resultado, versão dos dados, quem e quando.`}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Registrar
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {failure && <Banner tone="danger">{failure}</Banner>}
        <Field label="Título">
          {(control) => (
            <Input
              {...control}
              value={title}
              maxLength={200}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
        <Field label="Conclusão" help="Opcional">
          {(control) => (
            <textarea
              {...control}
              value={conclusion}
              maxLength={5000}
              rows={4}
              className="w-full rounded-md border border-line-strong/70 bg-surface px-3 py-2"
              onChange={(event) => setConclusion(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  )
}
