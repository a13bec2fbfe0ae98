import { counted, formatDateTime, type Import } from '@ensaio/domain'
import { Download, FileSpreadsheet } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { open, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { downloadBlob } from '../../ui/download.ts'
import { controlClasses, Select } from '../../ui/Input.tsx'
import { Badge, Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Sheet, sendSheet, useChange } from './use-import.ts'

const STATES: Record<
  Import['estado'],
  { label: string; tone: 'plain' | 'accent' | 'ok' | 'danger' | 'warn' }
> = {
  lendo: { label: 'Lendo', tone: 'plain' },
  colunas: { label: 'Faltam as colunas', tone: 'warn' },
  conferir: { label: 'A conferir', tone: 'accent' },
  gravando: { label: 'Gravando', tone: 'accent' },
  concluida: { label: 'Gravada', tone: 'ok' },
  desfeita: { label: 'Desfeita', tone: 'plain' },
  falhou: { label: 'Não foi lida', tone: 'danger' },
}
const FORMATS = [
  { value: 'xlsx', label: 'Excel (.xlsx)' },
  { value: 'ods', label: 'LibreOffice (.ods)' },
  { value: 'csv', label: 'Texto (.csv)' },
]

/** A file, or text from a spreadsheet; and what was begun before. */
export function SendStep({
  failed,
  onSent,
}: {
  failed: Import | null
  /** With what was sent, where the same bytes had been sent before. */
  onSent: (made: Import, again: Sheet | null) => void
}) {
  const { busy, failure, run } = useChange()
  const [over, setOver] = useState(false)
  const [texto, setTexto] = useState('')
  const list = useEndpoint('listImports', {}, { ofServer: true })

  const send = (from: Sheet) =>
    run(async () => {
      const { importacao, earlier } = await sendSheet(from)
      onSent(importacao, earlier ? from : null)
    })

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) void send({ file })
  }

  return (
    <div className="flex flex-col gap-6">
      {failed?.estado === 'falhou' && (
        <Banner tone="danger" title={`“${failed.nome}” não pôde ser lida`}>
          {failed.problema?.detail}
        </Banner>
      )}
      {failure && <Banner tone="danger">{failure}</Banner>}
      <div className="grid gap-6 lg:grid-cols-[1.4fr_1fr]">
        <Card>
          <CardHeader title="Enviar a planilha" subtitle=".xlsx, .ods ou .csv de até 20 MB e 50.000 linhas" />
          <div className="flex flex-col gap-4 px-5 pb-5">
            <label
              onDragOver={(event) => {
                event.preventDefault()
                setOver(true)
              }}
              onDragLeave={() => setOver(false)}
              onDrop={drop}
              className={classes(
                'flex cursor-pointer flex-col items-center gap-2 rounded-md border-2 border-dashed px-6 py-10 text-center transition-colors focus-within:outline-2 focus-within:outline-accent',
                over
                  ? 'border-accent bg-accent-soft'
                  : 'border-line-strong/60 hover:border-accent hover:bg-sunken',
              )}
            >
              <FileSpreadsheet aria-hidden className="size-8 text-accent" />
              <span className="font-medium">
                {busy
                  ? 'Lendo a planilha…'
                  : over
                    ? 'Solte aqui'
                    : 'Arraste a planilha para cá ou escolha o arquivo'}
              </span>
              <span className="text-small text-muted">Nada é gravado antes de você conferir.</span>
              <input
                type="file"
                className="sr-only"
                aria-label="Planilha"
                disabled={busy}
                accept=".xlsx,.xlsm,.ods,.csv,.tsv,.txt"
                onChange={(event) => {
                  const file = event.target.files?.[0]
                  event.target.value = ''
                  if (file) void send({ file })
                }}
              />
            </label>
            <p className="sr-only" role="status">
              {busy ? 'Lendo a planilha…' : ''}
            </p>
            <details className="rounded-md border border-line px-4 py-3">
              <summary className="cursor-pointer font-medium">Colar da planilha</summary>
              <div className="mt-3 flex flex-col gap-3">
                <textarea
                  aria-label="Texto colado da planilha"
                  placeholder="Copie as células com os títulos e cole aqui"
                  rows={6}
                  value={texto}
                  onChange={(event) => setTexto(event.target.value)}
                  className={classes(controlClasses, 'figures py-2 text-small')}
                />
                <Button
                  className="self-start"
                  disabled={texto.trim() === ''}
                  busy={busy}
                  onClick={() => void send({ texto })}
                >
                  Usar o texto
                </Button>
              </div>
            </details>
          </div>
        </Card>
        <Template />
      </div>
      {list.data && list.data.importacoes.length > 0 && (
        <Card>
          <CardHeader title="Importações" subtitle="As que não foram gravadas esperam 30 dias" />
          <ul className="divide-y divide-line border-t border-line">
            {list.data.importacoes.map((one) => (
              <li key={one.id} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
                <div className="min-w-0">
                  <button
                    type="button"
                    className="max-w-full truncate text-left font-medium text-accent hover:underline"
                    onClick={() => onSent(one, null)}
                  >
                    {one.nome}
                  </button>
                  <p className="figures text-small text-muted">
                    {formatDateTime(one.created_at)}
                    {one.resumo.experimentos > 0 &&
                      ` · ${counted(one.resumo.experimentos, 'experimento', 'experimentos')}`}
                  </p>
                </div>
                <Badge tone={STATES[one.estado].tone}>{STATES[one.estado].label}</Badge>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

/** The workbook that people fill in. */
function Template() {
  const [formato, setFormato] = useState('xlsx')
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const response = await open('importTemplateWorkbook', { query: { formato: formato as 'xlsx' } })
      downloadBlob(`modelo-de-importacao.${formato}`, await response.blob())
    } catch (error) {
      toast.error(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card className="self-start">
      <CardHeader title="Planilha modelo" subtitle="Com listas para escolher e dois exemplos" />
      <div className="flex flex-col gap-3 px-5 pb-5">
        <p className="text-small text-muted">
          Uma linha por tratamento. Não é obrigatória: a sua própria planilha é entendida pelos títulos das
          colunas.
        </p>
        <Select
          aria-label="Formato do modelo"
          value={formato}
          options={FORMATS}
          onChange={(event) => setFormato(event.target.value)}
        />
        <Button
          icon={<Download aria-hidden className="size-4" />}
          busy={busy}
          onClick={() => void download()}
        >
          Baixar planilha modelo
        </Button>
      </div>
    </Card>
  )
}
