import type { TrialSheetInput } from '@ensaio/domain'
import { counted, type Experiment, type ImportError, type ImportMap } from '@ensaio/domain'
import { FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import { ApiError, call, reasonOf } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Input, Select } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Differing, differing, MeansDialog, unsigned } from './MeansDialog.tsx'

type Read = {
  mapa: ImportMap
  abas: string[]
  previa: string[][]
  ficha: z.input<typeof TrialSheetInput> | null
  erros: ImportError[]
  avisos: string[]
}
type Role = ImportMap['colunas'][number]['papel']
const ROLES: Record<Role, string> = {
  ignorar: 'Não importar',
  parcela: 'Parcela',
  tratamento: 'Tratamento',
  bloco: 'Bloco ou repetição',
  linha: 'Linha',
  coluna: 'Coluna',
  area: 'Área (m²)',
  medida: 'Valores de uma variável',
  variavel: 'Nome da variável',
  avaliacao: 'Avaliação',
  valor: 'Valor',
}
const ROLE_OPTIONS = Object.entries(ROLES).map(([value, label]) => ({ value, label }))
const SHOWN_ERRORS = 200

/** A spreadsheet of plots: what each column is, its first rows, every line's problem; all of it is written or none. */
export function ImportPlots({ experiment, onCancel }: { experiment: Experiment; onCancel: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  const [sheet, setSheet] = useState<string | null>(null)
  const [read, setRead] = useState<Read | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState<Differing[] | null>(null)

  const send = async (
    of: File,
    {
      map = null,
      aba = sheet,
      write = false,
    }: { map?: ImportMap | null; aba?: string | null; write?: boolean } = {},
  ) => {
    setBusy(true)
    setFailure(null)
    const form = new FormData()
    form.append('gravar', write ? '1' : '0')
    if (map) form.append('mapa', JSON.stringify(map))
    if (aba) form.append('aba', aba)
    form.append('arquivo', of, of.name)
    try {
      const answer = await call('importPlots', { params: { id: experiment.id } }, { form, timeoutMs: 90_000 })
      if (write) {
        toast.success('Parcelas importadas')
        await experimentsChanged()
        onCancel()
      } else setRead(answer)
    } catch (error) {
      setFailure(reasonOf(error))
      if (!write || !(error instanceof ApiError)) setRead(null)
    } finally {
      setBusy(false)
    }
  }
  const remap = (at: number, part: Partial<ImportMap['colunas'][number]>) => {
    if (!read || !file) return
    const mapa = {
      ...read.mapa,
      colunas: read.mapa.colunas.map((one, i) => (i === at ? { ...one, ...part } : one)),
    }
    setRead({ ...read, mapa })
    void send(file, { map: mapa })
  }

  return (
    <Card>
      <CardHeader
        title="Importar planilha de parcelas"
        subtitle="CSV ou XLSX de até 5 MB e 20.000 linhas; uma linha por parcela ou uma por valor"
        actions={<Button onClick={onCancel}>Voltar</Button>}
      />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <label className="flex cursor-pointer flex-col items-center gap-2 rounded-md border border-dashed border-line-strong px-4 py-8 text-center focus-within:outline-2 focus-within:outline-accent hover:bg-sunken">
          <FileSpreadsheet aria-hidden className="size-7 text-faint" />
          <span className="font-medium">{file ? file.name : 'Escolher planilha'}</span>
          <span className="text-small text-muted">
            Colunas como Bloco, Tratamento e “Produtividade (kg/ha)”; a ficha de campo volta sem ajustes.
          </span>
          <input
            type="file"
            className="sr-only"
            accept=".csv,.tsv,.txt,.xlsx,text/csv"
            onChange={(event) => {
              const chosen = event.target.files?.[0]
              event.target.value = ''
              if (!chosen) return
              setFile(chosen)
              setSheet(null)
              setRead(null)
              void send(chosen, { aba: null })
            }}
          />
        </label>
        {busy && (
          <p className="text-small text-muted" role="status">
            Lendo a planilha…
          </p>
        )}
        {failure && <Banner tone="danger">{failure}</Banner>}
        {read && file && (
          <>
            {read.abas.length > 1 && (
              <Select
                aria-label="Aba"
                className="max-w-72"
                value={sheet ?? read.abas[0]}
                options={read.abas}
                onChange={(event) => {
                  setSheet(event.target.value)
                  void send(file, { aba: event.target.value })
                }}
              />
            )}
            <Table label="O que é cada coluna">
              <thead>
                <tr>
                  <Head>Coluna</Head>
                  <Head>O que é</Head>
                  <Head>Variável, unidade e avaliação</Head>
                </tr>
              </thead>
              <tbody>
                {read.mapa.colunas.map((column, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file
                  <Row key={at}>
                    <Cell className="font-medium">
                      {column.coluna || <span className="text-muted">sem título</span>}
                    </Cell>
                    <Cell>
                      <Select
                        aria-label={`O que é a coluna ${column.coluna}`}
                        value={column.papel}
                        options={ROLE_OPTIONS}
                        onChange={(event) => remap(at, { papel: event.target.value as Role })}
                      />
                    </Cell>
                    <Cell>
                      {column.papel === 'medida' && (
                        <span className="flex gap-2">
                          {(['variavel', 'unidade', 'avaliacao'] as const).map((key) => (
                            <Input
                              key={key}
                              aria-label={`${{ variavel: 'Variável', unidade: 'Unidade', avaliacao: 'Avaliação' }[key]} da coluna ${column.coluna}`}
                              defaultValue={column[key] ?? ''}
                              placeholder={
                                { variavel: 'variável', unidade: 'unidade', avaliacao: 'avaliação' }[key]
                              }
                              onBlur={(event) =>
                                event.target.value !== (column[key] ?? '') &&
                                remap(at, { [key]: event.target.value.trim() || null })
                              }
                            />
                          ))}
                        </span>
                      )}
                    </Cell>
                  </Row>
                ))}
              </tbody>
            </Table>
            <Table label="Primeiras linhas da planilha" className="max-h-72">
              <tbody>
                {read.previa.map((line, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the file
                  <Row key={at}>
                    <Cell className="figures text-small text-faint">{at + 1}</Cell>
                    {line.map((cell, i) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place in the line
                      <Cell key={i} className="figures text-small whitespace-nowrap">
                        {cell}
                      </Cell>
                    ))}
                  </Row>
                ))}
              </tbody>
            </Table>
            {read.avisos.length > 0 && (
              <Banner tone="warn" title="Confira como os números foram lidos">
                {read.avisos.join('; ')}
              </Banner>
            )}
            {read.erros.length > 0 && (
              <Banner
                tone="danger"
                title={`${counted(new Set(read.erros.map(({ linha }) => linha)).size, 'linha com problema', 'linhas com problema')}; nada foi gravado`}
              >
                <ul className="figures max-h-60 overflow-auto">
                  {read.erros.slice(0, SHOWN_ERRORS).map(({ linha, coluna, mensagem }) => (
                    <li key={`${linha}${coluna}${mensagem}`}>
                      {linha > 0 && `Linha ${linha}`}
                      {coluna && linha > 0 && `, ${coluna}`}
                      {linha > 0 && ': '}
                      {mensagem}
                    </li>
                  ))}
                  {read.erros.length > SHOWN_ERRORS && <li>e mais {read.erros.length - SHOWN_ERRORS}</li>}
                </ul>
              </Banner>
            )}
            <div className="flex flex-wrap justify-end gap-2">
              <Button
                variant="primary"
                busy={busy}
                disabled={read.erros.length > 0 || read.ficha === null}
                onClick={() => {
                  const first = experiment.dados !== 'parcelas'
                  const others = first && read.ficha ? differing(unsigned(read.ficha), experiment) : []
                  if (others.length > 0) setAsked(others)
                  else void send(file, { map: read.mapa, write: true })
                }}
              >
                Gravar parcelas
              </Button>
            </div>
          </>
        )}
        {asked && read && file && (
          <MeansDialog
            experiment={experiment}
            rows={asked}
            busy={busy}
            onClose={() => setAsked(null)}
            onUse={() => {
              setAsked(null)
              void send(file, { map: read.mapa, write: true })
            }}
          />
        )}
      </div>
    </Card>
  )
}
