import {
  type FieldPackage,
  formatDateTime,
  type ParkedChange,
  shownValue,
  type TrialDate,
  type TrialVariable,
} from '@ensaio/domain'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { Banner, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { parkedTitle } from './parked.ts'

/** Where an entry without a place is put: a plot, a variable, a date; what stands there is shown before it goes. */
export function PlaceDialog({
  id,
  parked,
  onClose,
  onPlaced,
}: {
  id: string
  parked: ParkedChange
  onClose: () => void
  onPlaced: (sentence: string) => Promise<void>
}) {
  const query = useEndpoint('fieldPackage', { params: { id }, query: {} })
  const pack = query.data
  // The server's own shapes, which the package's schema leaves open.
  const variables = ((pack?.variaveis ?? []) as unknown as (TrialVariable & { id: string })[]).filter(
    ({ formula }) => !formula,
  )
  const dates = (pack?.avaliacoes ?? []) as unknown as (TrialDate & { id: string })[]
  const ofPlotAlone = parked.tipo === 'nota'
  const [chosen, setChosen] = useState<{ parcela?: string; variavel?: string; avaliacao?: string }>({})
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const parcela = chosen.parcela ?? pack?.parcelas.find(({ id }) => id === parked.parcela)?.id ?? ''
  const variavel = chosen.variavel ?? variables.find((one) => one.id === parked.variavel)?.id ?? ''
  const avaliacao = chosen.avaliacao ?? dates.find((one) => one.id === parked.avaliacao)?.id ?? ''
  const held = pack && standingAt(pack, { parcela, variavel, avaliacao: avaliacao || null })
  const variable = variables.find((one) => one.id === variavel)

  const choose = (part: typeof chosen) => {
    setChosen({ ...chosen, ...part })
    setProblems({})
  }
  const place = async () => {
    const missing: Record<string, string> = {}
    if (!parcela) missing['parcela'] = 'Escolha a parcela'
    if (!ofPlotAlone && !variavel) missing['variavel'] = 'Escolha a variável'
    setProblems(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    try {
      const body = {
        ...{ acao: 'colocar' as const, parcela, base: held?.id ?? null },
        ...{ variavel: ofPlotAlone ? null : variavel, avaliacao: ofPlotAlone ? null : avaliacao || null },
      }
      const { resultado } = await call('settleFieldChange', { params: { id, change: parked.id }, body })
      await onPlaced(
        resultado?.estado === 'conflito'
          ? 'O valor mudou enquanto isso: o registro ficou como conflito'
          : 'Registro colocado',
      )
    } catch (error) {
      setProblems(problemsOf(error))
    } finally {
      setBusy(false)
    }
  }
  const others = Object.entries(problems).filter(
    ([path]) => !['parcela', 'variavel', 'avaliacao'].includes(path),
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Colocar em…"
      description={parkedTitle(parked)}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="primary" busy={busy} disabled={!pack} onClick={() => void place()}>
            Colocar
          </Button>
        </>
      }
    >
      {query.isError && <ErrorState message={query.error.message} onRetry={() => query.refetch()} />}
      {query.isPending && <Skeleton className="h-40" />}
      {pack && (
        <div className="flex flex-col gap-4">
          {others.length > 0 && (
            <Banner tone="danger">{others.map(([, message]) => message).join(' ')}</Banner>
          )}
          <Field label="Parcela" required error={problems['parcela']}>
            {(control) => (
              <Select
                {...control}
                value={parcela}
                placeholder="Escolha"
                options={[...pack.parcelas]
                  .sort((a, b) => a.numero - b.numero)
                  .map(({ id, numero, tratamento }) => ({ value: id, label: `${numero} · ${tratamento}` }))}
                onChange={(event) => choose({ parcela: event.target.value })}
              />
            )}
          </Field>
          {!ofPlotAlone && (
            <Field label="Variável" required error={problems['variavel']}>
              {(control) => (
                <Select
                  {...control}
                  value={variavel}
                  placeholder="Escolha"
                  options={variables.map(({ id, nome }) => ({ value: id, label: nome }))}
                  onChange={(event) => choose({ variavel: event.target.value })}
                />
              )}
            </Field>
          )}
          {!ofPlotAlone && dates.length > 0 && (
            <Field label="Avaliação" error={problems['avaliacao']}>
              {(control) => (
                <Select
                  {...control}
                  value={avaliacao}
                  placeholder="Sem data"
                  options={dates.map(({ id, nome }) => ({ value: id, label: nome }))}
                  onChange={(event) => choose({ avaliacao: event.target.value })}
                />
              )}
            </Field>
          )}
          {held && variable && (
            <Banner tone="warn">
              Nesta célula está {shownValue(variable, held.valor)}
              {held.by && ` de ${held.by.quem ?? 'alguém'} (${formatDateTime(held.by.quando)})`}. O registro
              toma o seu lugar; o histórico guarda os dois.
            </Banner>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** What stands in a cell of the package, and its entry. */
function standingAt(pack: FieldPackage, at: { parcela: string; variavel: string; avaliacao: string | null }) {
  const row = pack.parcelas.findIndex(({ id }) => id === at.parcela)
  const column = pack.valores.find((one) => one.variavel === at.variavel && one.avaliacao === at.avaliacao)
  const valor = column?.valores[row] ?? null
  const id = column?.registros[row] ?? null
  return valor === null && id === null ? null : { id, valor, by: id === null ? undefined : pack.autores[id] }
}
