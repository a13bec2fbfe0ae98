import type { Experiment } from '@ensaio/domain'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { recordPage } from '../../shell/paths.ts'
import { Card } from '../../ui/Surface.tsx'
import { CopySentence, sentenceToSend } from './CopySentence.tsx'
import { computed, standing, standingCosts, WHAT_IF, type WhatIf } from './what-if.ts'

const NOTHING_TRIED = Object.fromEntries(WHAT_IF.map((key) => [key, ''])) as WhatIf

/** What the trial's best treatment pays at its stored price, ready to copy; nothing where there is no price. */
export function PayingSentence({ experiment }: { experiment: Experiment }) {
  const params = { params: { id: experiment.id } }
  const prices = useEndpoint('getPrices', params, { enabled: experiment.permissoes.ver_custos })
  const known = prices.data?.cultura != null
  const base = useEndpoint('economicBase', params, { enabled: known })
  const answer = useMemo(() => {
    if (!prices.data?.cultura || !base.data) return null
    const now = standing(NOTHING_TRIED, prices.data, experiment)
    const { costs } = standingCosts('', prices.data, now.custos, experiment)
    return computed(base.data.base, costs, now)
  }, [prices.data, base.data, experiment])
  if (!answer || !(answer.frases.economia ?? answer.frases.economia_nao_paga)) return null
  return (
    <Card className="px-5 py-4">
      <h2 className="pb-1 font-semibold">O que paga</h2>
      <p>{sentenceToSend(answer)}</p>
      {answer.avisos
        .filter(({ codigo }) => codigo === 'preco_antigo')
        .map(({ codigo, texto }) => (
          <p key={codigo} className="pt-1 text-small text-warn">
            {texto}
          </p>
        ))}
      <p className="no-print flex flex-wrap items-center gap-4 pt-3">
        <CopySentence answer={answer} />
        <Link
          to={recordPage(experiment.id, 'economia')}
          className="text-small text-accent underline underline-offset-4"
        >
          Ver economia
        </Link>
      </p>
    </Card>
  )
}
