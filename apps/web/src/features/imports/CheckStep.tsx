import {
  formatNumber,
  type Import,
  type ImportProblem,
  type ImportRow,
  importFieldLabel,
} from '@ensaio/domain'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Download } from 'lucide-react'
import { useState } from 'react'
import { actingKey } from '../../api/acting.ts'
import { call, open, reasonOf } from '../../api/client.ts'
import { answerIs, queryClient } from '../../api/query-client.ts'
import { Button } from '../../ui/Button.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Select } from '../../ui/Input.tsx'
import { Banner, Card, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { CellGrid } from './CellGrid.tsx'
import { type CellEdit, correct, useChange } from './use-import.ts'

const TABS = ['novo', 'atualizar', 'igual', 'erro', 'aviso'] as const
/** What is looked at first, where there is any. */
const FIRST = ['erro', 'atualizar', 'novo', 'igual', 'aviso'] as const
type Tab = (typeof TABS)[number]
const PAGE = 20

const rowsKey = (id: string) => [actingKey(), 'importRows', id]

/** Every trial as it was understood, every problem in its cell, corrected in place. */
export function CheckStep({
  importacao,
  onDone,
  onColumns,
}: {
  importacao: Import
  onDone: () => void
  onColumns: () => void
}) {
  const { resumo, id } = importacao
  const counts: Record<Tab, number> = {
    erro: resumo.com_erro,
    novo: resumo.novos,
    atualizar: resumo.atualizar,
    igual: resumo.iguais,
    aviso: resumo.avisos,
  }
  const LABELS: Record<Tab, string> = {
    novo: 'Novos',
    atualizar: 'Atualizar',
    igual: 'Iguais',
    erro: 'Com erro',
    aviso: 'Avisos',
  }
  const [tab, setTab] = useState<Tab>(() => FIRST.find((one) => counts[one] > 0) ?? 'novo')
  const [only, setOnly] = useState('')
  const [shown, setShown] = useState(PAGE)
  const { busy, failure, run } = useChange()

  const problems = useQuery({
    queryKey: [...rowsKey(id), 'problems'],
    queryFn: async ({ signal }) =>
      (
        (await call('importProblems', { params: { id } }, { signal, timeoutMs: 60_000 })) as {
          problemas: ImportProblem[]
        }
      ).problemas,
  })
  const kinds = kindsOf(problems.data ?? [])
  const chosen = kinds.find(({ key }) => key === only)
  const rows = useQuery<{ rows: ImportRow[]; more: boolean }>({
    queryKey: [...rowsKey(id), tab, only, shown],
    placeholderData: (before) => before,
    queryFn: async ({ signal }) => {
      const all: ImportRow[] = []
      let cursor: string | undefined
      do {
        const answer = await call(
          'importRows',
          {
            params: { id },
            query: {
              ...{ estado: tab, limit: Math.min(100, shown - all.length) },
              ...(cursor !== undefined && { cursor }),
              ...(chosen && {
                mensagem: chosen.mensagem,
                ...(chosen.campo !== null && { campo: chosen.campo }),
              }),
            },
          },
          { signal },
        )
        all.push(...answer.experimentos)
        cursor = answer.next_cursor ?? undefined
      } while (cursor !== undefined && all.length < shown)
      return { rows: all, more: cursor !== undefined }
    },
  })

  const edit = (alteracoes: CellEdit[], iguais = false) =>
    run(async () => {
      const { experimentos, anteriores } = await correct(id, { alteracoes, iguais })
      const now = new Map(experimentos.map((row) => [row.n, row]))
      // What was corrected stays where it is, so that nobody loses the place; other tabs read again.
      answerIs<{ rows: ImportRow[]; more: boolean }>(
        [...rowsKey(id), tab, only, shown],
        (held) => held && { ...held, rows: held.rows.map((row) => now.get(row.n) ?? row) },
      )
      void queryClient.invalidateQueries({ queryKey: [...rowsKey(id), 'problems'] })
      for (const other of TABS)
        if (other !== tab) void queryClient.invalidateQueries({ queryKey: [...rowsKey(id), other] })
      return anteriores
    })
  const anyway = (n: number) =>
    run(async () => {
      await correct(id, { alteracoes: [], mesmo_assim: [n] })
      void queryClient.invalidateQueries({ queryKey: rowsKey(id) })
    })

  const download = async () => {
    try {
      const response = await open(
        'importProblems',
        { params: { id }, query: { formato: 'xlsx' } },
        { timeoutMs: 60_000 },
      )
      downloadBlob(`${importacao.nome.replace(/\.\w+$/, '')} - problemas.xlsx`, await response.blob())
    } catch (error) {
      toast.error(reasonOf(error))
    }
  }

  return (
    <div className="flex flex-col gap-6">
      {failure && <Banner tone="danger">{failure}</Banner>}
      <Tabs
        label="Ensaios da planilha"
        value={tab}
        tabs={TABS.map((value) => ({ value, label: `${LABELS[value]} ${formatNumber(counts[value], 0)}` }))}
        onValue={(next) => {
          setTab(next)
          setOnly('')
          setShown(PAGE)
        }}
      >
        <TabPanel value={tab} className="flex flex-col gap-4 pt-5">
          <div className="flex flex-wrap items-center justify-between gap-3">
            {(tab === 'erro' || tab === 'aviso') && kinds.length > 0 ? (
              <Select
                aria-label="Problema"
                className="max-w-md"
                placeholder="Todos os problemas"
                value={only}
                options={kinds
                  .filter(({ gravidade }) => gravidade === (tab === 'erro' ? 'erro' : 'aviso'))
                  .map(({ key, campo, mensagem, count }) => ({
                    value: key,
                    label: `${campo === null ? '' : `${importFieldLabel(campo)}: `}${mensagem} (${formatNumber(count, 0)})`,
                  }))}
                onChange={(event) => {
                  setOnly(event.target.value)
                  setShown(PAGE)
                }}
              />
            ) : (
              <span />
            )}
            {(resumo.com_erro > 0 || resumo.avisos > 0) && (
              <Button
                size="small"
                icon={<Download aria-hidden className="size-4" />}
                onClick={() => void download()}
              >
                Baixar planilha com os problemas
              </Button>
            )}
          </div>
          <Card>
            {rows.isError ? (
              <ErrorState message={reasonOf(rows.error)} onRetry={() => void rows.refetch()} />
            ) : !rows.data ? (
              <Skeleton className="h-80" />
            ) : rows.data.rows.length === 0 ? (
              <EmptyState title="Nenhum ensaio aqui" />
            ) : (
              <>
                <CellGrid
                  importacao={importacao}
                  rows={rows.data.rows}
                  more={rows.data.more}
                  problems={problems.data ?? []}
                  busy={busy}
                  onEdit={edit}
                  onAnyway={(n) => void anyway(n)}
                />
                {rows.data.more && (
                  <div className="border-t border-line px-5 py-3 text-center">
                    <Button size="small" busy={rows.isFetching} onClick={() => setShown(shown + PAGE)}>
                      Mostrar mais
                    </Button>
                  </div>
                )}
              </>
            )}
          </Card>
        </TabPanel>
      </Tabs>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          size="large"
          disabled={resumo.novos + resumo.atualizar === 0}
          icon={<ArrowRight aria-hidden className="size-4" />}
          onClick={onDone}
        >
          Gravar
        </Button>
        <Button size="large" onClick={onColumns}>
          Voltar às colunas
        </Button>
      </div>
    </div>
  )
}

/** Problems of one kind: the same field and sentence, the most frequent first. */
function kindsOf(problems: readonly ImportProblem[]) {
  const kinds = new Map<
    string,
    { key: string; campo: string | null; mensagem: string; gravidade: string; count: number }
  >()
  for (const { campo, mensagem, gravidade } of problems) {
    const key = JSON.stringify([campo, mensagem])
    const known = kinds.get(key)
    if (known) known.count += 1
    else kinds.set(key, { key, campo, mensagem, gravidade, count: 1 })
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count).slice(0, 200)
}
