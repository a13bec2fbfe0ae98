import {
  effectText,
  effectUnit,
  formatNumber,
  MODERATOR_NAMES,
  type Moderator,
  type Subgroup,
  type SynthesisAnswer,
} from '@ensaio/domain'
import { useMemo, useRef } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { intervals, intervalsHeight, plot } from '../../charts/plot.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { shown } from './shown.ts'
import type { SynthesisAddress } from './synthesis-address.ts'

const SUBGROUP_NAMES: Record<Subgroup, string> = {
  cultura: 'Cultura',
  regional: 'Regional',
  marca: 'Marca',
  ano: 'Ano',
  modalidade: 'Modalidade',
  solo: 'Classe de solo',
}

const HEIGHT = 360

type Props = { answer: SynthesisAnswer; address: SynthesisAddress }

/** One moderator as a line, or groups of trials with a test of their difference. */
export function WhyItVaries({ answer, address }: Props) {
  const { frases, metarregressao, subgrupos } = answer
  const tried = useRef(new Set<Subgroup>()).current
  if (answer.subgrupo && subgrupos && !('motivo' in subgrupos.teste)) tried.add(answer.subgrupo)
  return (
    <section className="flex flex-col gap-4">
      <Card>
        <CardHeader title="Por que varia" subtitle="Um moderador ou um agrupamento por vez" />
        <div className="grid gap-4 px-5 pb-4 sm:grid-cols-2">
          <Field label="Moderador">
            {(control) => (
              <Select
                {...control}
                options={[
                  { value: '', label: 'Nenhum' },
                  ...Object.entries(MODERATOR_NAMES).map(([value, { nome }]) => ({ value, label: nome })),
                ]}
                value={answer.moderador ?? ''}
                onChange={(event) => address.set({ moderador: event.target.value })}
              />
            )}
          </Field>
          <Field label="Subgrupo">
            {(control) => (
              <Select
                {...control}
                options={[
                  { value: '', label: 'Nenhum' },
                  ...Object.entries(SUBGROUP_NAMES).map(([value, label]) => ({ value, label })),
                ]}
                value={answer.subgrupo ?? ''}
                onChange={(event) => address.set({ subgrupo: event.target.value })}
              />
            )}
          </Field>
        </div>
        {(frases['metarregressao'] ?? frases['subgrupos']) && (
          <div className="figures flex flex-col gap-2 px-5 pb-5">
            {frases['metarregressao'] && <p>{frases['metarregressao']}</p>}
            {frases['subgrupos'] && <p>{frases['subgrupos']}</p>}
            {tried.size > 1 && (
              <p className="text-small text-muted">
                {tried.size} testes de subgrupos já foram feitos aqui: um deles pode dar diferença por acaso.
              </p>
            )}
          </div>
        )}
        {metarregressao && 'motivo' in metarregressao && (
          <p className="px-5 pb-5 text-muted">Sem metarregressão: {metarregressao.motivo}.</p>
        )}
      </Card>
      {metarregressao && !('motivo' in metarregressao) && answer.moderador && (
        <Bubbles answer={answer} moderator={answer.moderador} />
      )}
      {subgrupos && subgrupos.grupos.length > 0 && <Groups answer={answer} />}
    </section>
  )
}

function Bubbles({ answer, moderator }: { answer: SynthesisAnswer; moderator: Moderator }) {
  const { nome, un } = MODERATOR_NAMES[moderator]
  const points = useMemo(() => {
    const heaviest = Math.max(...answer.ensaios.map(({ peso }) => peso ?? 0))
    return answer.ensaios.flatMap((trial) =>
      trial.x === null || trial.peso === null
        ? []
        : [
            {
              key: trial.experimento_id,
              x: trial.x,
              y: shown(trial.efeito, answer),
              size: 3 + 6 * Math.sqrt(trial.peso / heaviest),
              label: trial.nome,
              tip: [
                `${nome}: ${formatNumber(trial.x, 1)}`,
                `${effectText(trial.efeito, answer, { sign: true })}${effectUnit(answer)}`,
              ],
            },
          ],
    )
  }, [answer, nome])
  const draw = useMemo(() => {
    const line = answer.metarregressao
    if (!line || 'motivo' in line) return null
    const on = (value: number) => shown(value, answer)
    return plot(
      {
        points,
        lines: [
          { points: line.faixa.map(({ x, estimativa }) => [x, on(estimativa)] as const), strong: true },
        ],
        band: {
          points: line.faixa.map(({ x, ic_baixo, ic_alto }) => [x, on(ic_baixo), on(ic_alto)] as const),
        },
      },
      { name: nome, unit: un === 'ano' ? '' : un, decimals: 0 },
      { name: 'Efeito', unit: effectUnit(answer).trim(), decimals: 0 },
    )
  }, [answer, points, nome, un])
  if (!draw) return null
  return (
    <ChartCard
      title={`Efeito por ${nome.toLocaleLowerCase('pt-BR')}`}
      subtitle={`Círculo maior: mais peso · faixa: IC 95 % da média · ${points.length} ensaios`}
      picture={{ draw, height: HEIGHT }}
      table={{
        columns: [{ name: 'Ensaio' }, { name: nome, numeric: true }, { name: 'Efeito', numeric: true }],
        count: points.length,
        rows: () =>
          points.map(({ key, label, x, y }) => ({
            key,
            cells: [label, formatNumber(x, 1), formatNumber(y, 1)],
          })),
      }}
    />
  )
}

function Groups({ answer }: { answer: SynthesisAnswer }) {
  const rows = useMemo(
    () =>
      (answer.subgrupos?.grupos ?? []).map(({ grupo, k, reml_hk }) => {
        const known = 'motivo' in reml_hk ? null : reml_hk
        const trial = answer.ensaios.find((one) => one.grupo === grupo && one.peso !== null)
        return {
          key: grupo,
          grupo,
          k,
          known,
          label: `${grupo} (${k})`,
          value: shown(known?.estimativa ?? trial?.efeito ?? 0, answer),
          low: known && shown(known.ic_baixo, answer),
          high: known && shown(known.ic_alto, answer),
          control: known === null,
          tip: [
            known
              ? `${effectText(known.estimativa, answer, { sign: true })}${effectUnit(answer)}`
              : 'um ensaio só',
          ],
        }
      }),
    [answer],
  )
  const draw = useMemo(
    () => intervals(rows, { name: 'Efeito', unit: effectUnit(answer).trim(), decimals: 0 }, 0),
    [rows, answer],
  )
  return (
    <ChartCard
      title={`Efeito por ${SUBGROUP_NAMES[answer.subgrupo ?? 'cultura'].toLocaleLowerCase('pt-BR')}`}
      subtitle="Estimativa de cada grupo com IC 95 % · entre parênteses, ensaios com erro experimental"
      picture={{ draw, height: intervalsHeight(rows.length) }}
      table={{
        columns: [
          { name: 'Grupo' },
          { name: 'Ensaios', numeric: true },
          { name: 'Efeito', numeric: true },
          { name: 'IC 95 %', numeric: true },
        ],
        count: rows.length,
        rows: () =>
          rows.map(({ key, grupo, k, known }) => ({
            key,
            cells: [
              grupo,
              formatNumber(k, 0),
              known ? effectText(known.estimativa, answer, { sign: true }) : 'um ensaio só',
              known ? `${effectText(known.ic_baixo, answer)} a ${effectText(known.ic_alto, answer)}` : '–',
            ],
          })),
      }}
    />
  )
}
