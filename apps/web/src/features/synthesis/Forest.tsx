import {
  type ComparedTrial,
  effectText,
  effectUnit,
  formatFixed,
  formatNumber,
  type SynthesisAnswer,
} from '@ensaio/domain'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { type ForestParts, type ForestRow, forest, forestHeight } from '../../charts/forest.ts'
import { recordPage } from '../../shell/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Input.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { SOURCES, shown } from './shown.ts'
import { ORDERS, type Order, type SynthesisAddress } from './synthesis-address.ts'

/** More trials are folded into groups that open. */
const MOST_ROWS = 60
const GROUPS = 12

type Entry = { row: ForestRow; trial: ComparedTrial | null; group: string | null }

/** Every trial with its effect and what they come to: a row opens its trial, or its group. */
export function Forest({ answer, address }: { answer: SynthesisAnswer; address: SynthesisAddress }) {
  const navigate = useNavigate()
  const narrow = useNarrow()
  const [open, setOpen] = useState<string | null>(null)
  const { order } = address
  const sorted = useMemo(() => inOrder(answer.ensaios, order), [answer, order])
  const entries = useMemo(() => entriesOf(sorted, { answer, order, open }), [sorted, answer, order, open])
  const picture = useMemo(() => {
    const parts = partsOf(entries, answer)
    const axis = {
      name: answer.medida === 'lnrr' ? 'Efeito' : 'Diferença para a Testemunha',
      unit: effectUnit(answer).trim(),
      decimals: 0,
    }
    return { draw: forest(parts, axis), height: forestHeight(parts, narrow) }
  }, [entries, answer, narrow])
  const pick = (at: number) => {
    const entry = entries[at]
    if (entry?.trial) navigate(recordPage(entry.trial.experimento_id))
    else if (entry?.group) setOpen(entry.group === open ? null : entry.group)
  }
  const grouped = sorted.length > MOST_ROWS
  return (
    <ChartCard
      title="Ensaio por ensaio"
      subtitle={`${answer.k_todos} ensaios · quadrado: peso; vazado: sem erro conhecido; linha tracejada: erro reconstruído ou suposto${grouped ? ' · clique em um grupo para abri-lo' : ''}`}
      picture={picture}
      onPick={pick}
      note={
        <div className="flex flex-wrap items-center gap-2">
          {grouped && (
            <ul aria-label="Grupos de ensaios" className="no-print flex basis-full flex-wrap gap-1.5">
              {entries.map(({ group, row }) =>
                group === null ? null : (
                  <li key={group}>
                    <Button
                      size="small"
                      aria-expanded={group === open}
                      onClick={() => setOpen(group === open ? null : group)}
                    >
                      {group === open ? '▾' : '▸'} {row.label}
                    </Button>
                  </li>
                ),
              )}
            </ul>
          )}
          <label htmlFor="forest-order">Ordenar por</label>
          <span className="w-40">
            <Select
              id="forest-order"
              options={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
              value={order}
              onChange={(event) => address.set({ ensaios_por: event.target.value })}
            />
          </span>
        </div>
      }
      table={{
        columns: [
          { name: 'Ensaio' },
          { name: 'Regional' },
          { name: 'Testemunha', numeric: true },
          { name: 'Tratamento', numeric: true },
          { name: `Efeito (${effectUnit(answer).trim()})`, numeric: true },
          { name: 'IC 95 %', numeric: true },
          { name: 'Peso (%)', numeric: true },
          { name: 'Erro' },
        ],
        count: sorted.length,
        rows: () =>
          sorted.map((trial) => ({
            key: trial.experimento_id,
            cells: [
              trial.nome,
              trial.regional,
              formatNumber(trial.testemunha, 1),
              formatNumber(trial.tratamento, 1),
              effectText(trial.efeito, answer, { sign: true }),
              intervalText(trial, answer),
              trial.peso === null ? '–' : formatFixed(100 * trial.peso, 1),
              SOURCES[trial.origem_ep],
            ],
            onPick: () => navigate(recordPage(trial.experimento_id)),
          })),
      }}
    />
  )
}

const intervalText = ({ ic_baixo, ic_alto }: ComparedTrial, answer: SynthesisAnswer): string =>
  ic_baixo === null || ic_alto === null
    ? '–'
    : `${effectText(ic_baixo, answer)} a ${effectText(ic_alto, answer)}`

function inOrder(trials: readonly ComparedTrial[], order: Order): ComparedTrial[] {
  const by: Record<Order, (a: ComparedTrial, b: ComparedTrial) => number> = {
    efeito: (a, b) => b.efeito - a.efeito,
    ano: (a, b) => a.ano - b.ano,
    regional: (a, b) => a.regional.localeCompare(b.regional, 'pt-BR'),
    argila: (a, b) => (a.argila ?? Infinity) - (b.argila ?? Infinity),
  }
  return [...trials].sort((a, b) => by[order](a, b) || a.ordem - b.ordem)
}

type Told = { answer: SynthesisAnswer; order: Order; open: string | null }

function entriesOf(sorted: readonly ComparedTrial[], { answer, order, open }: Told): Entry[] {
  const most = Math.max(0, ...sorted.map(({ peso }) => peso ?? 0))
  const single = (trial: ComparedTrial): Entry => ({
    row: rowOf(trial, { answer, most }),
    trial,
    group: null,
  })
  if (sorted.length <= MOST_ROWS) return sorted.map(single)
  return groupsOf(sorted, order).flatMap(({ key, label, trials }): Entry[] => {
    const values = trials.map(({ efeito }) => shown(efeito, answer))
    const mean = values.reduce((sum, one) => sum + one, 0) / values.length
    const row: ForestRow = {
      ...{ key, label, value: mean, low: Math.min(...values), high: Math.max(...values) },
      ...{ weight: null, folded: true },
      tip: [`${trials.length} ensaios`, `média simples ${formatFixed(mean, 1)}${effectUnit(answer)}`],
    }
    return [{ row, trial: null, group: key }, ...(open === key ? trials.slice(0, MOST_ROWS).map(single) : [])]
  })
}

/** By region or year; else as many equal parts as a page takes. */
function groupsOf(sorted: readonly ComparedTrial[], order: Order) {
  const size = Math.ceil(sorted.length / GROUPS)
  const groups = new Map<string, ComparedTrial[]>()
  sorted.forEach((trial, at) => {
    const key =
      order === 'ano'
        ? String(trial.ano)
        : order === 'regional'
          ? trial.regional
          : `Ensaios ${Math.floor(at / size) * size + 1} a ${Math.min(sorted.length, (Math.floor(at / size) + 1) * size)}`
    const group = groups.get(key)
    if (group) group.push(trial)
    else groups.set(key, [trial])
  })
  return [...groups].map(([key, trials]) => ({ key, label: `${key} (${trials.length})`, trials }))
}

function rowOf(trial: ComparedTrial, { answer, most }: { answer: SynthesisAnswer; most: number }): ForestRow {
  const { ic_baixo, ic_alto, peso, origem_ep } = trial
  return {
    key: trial.experimento_id,
    label: trial.nome,
    value: shown(trial.efeito, answer),
    low: ic_baixo === null ? null : shown(ic_baixo, answer),
    high: ic_alto === null ? null : shown(ic_alto, answer),
    weight: peso === null || most === 0 ? null : peso / most,
    broken: origem_ep === 'reconstruida' || origem_ep === 'imputada',
    tip: [
      `${effectText(trial.efeito, answer, { sign: true })}${effectUnit(answer)} (${intervalText(trial, answer)})`,
      `${SOURCES[origem_ep]}${peso === null ? '' : ` · peso ${formatFixed(100 * peso, 1)} %`}`,
      ...(trial.testemunha_baixa ? ['Testemunha muito baixa'] : []),
    ],
  }
}

function partsOf(entries: readonly Entry[], answer: SynthesisAnswer): ForestParts {
  const { reml_hk: main, sem_peso, economia, medida } = answer
  const ends = ({
    estimativa,
    ic_baixo,
    ic_alto,
  }: {
    estimativa: number
    ic_baixo: number
    ic_alto: number
  }) => ({
    value: shown(estimativa, answer),
    low: shown(ic_baixo, answer),
    high: shown(ic_alto, answer),
  })
  const { empate = null, empate_kg = null } = economia ?? {}
  return {
    rows: entries.map(({ row }) => row),
    diamonds: [
      ...('motivo' in main ? [] : [{ label: `Síntese (${answer.k})`, ...ends(main) }]),
      ...('motivo' in sem_peso
        ? []
        : [{ label: `Sem pesos (${answer.k_todos})`, light: true, ...ends(sem_peso) }]),
    ],
    next:
      'motivo' in main || main.predicao_baixo === null || main.predicao_alto === null
        ? null
        : { low: shown(main.predicao_baixo, answer), high: shown(main.predicao_alto, answer) },
    line:
      empate === null || empate_kg === null
        ? null
        : {
            // Of a ratio it is told on the mean control.
            value: medida === 'lnrr' ? (100 * empate_kg) / meanControl(answer) : empate_kg,
            label: `empate: ${formatFixed(empate, 1)} ${economia?.kg_por_unidade === 60 ? 'sc/ha' : 'un/ha'}`,
          },
  }
}

const meanControl = ({ ensaios }: SynthesisAnswer): number =>
  ensaios.reduce((sum, { testemunha }) => sum + testemunha, 0) / ensaios.length
