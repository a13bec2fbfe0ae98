import { type EconomicAnswer, priceDateText } from '@ensaio/domain'
import { ClipboardCopy } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.tsx'

/** The sentence as it leaves the page: with its n, where its error comes from, and the price's source. */
export function sentenceToSend(answer: EconomicAnswer): string {
  const sentence = answer.frases.economia ?? answer.frases.economia_nao_paga ?? ''
  const counts = answer.linhas.flatMap(({ n }) => (n === null ? [] : [n]))
  const total = counts.reduce((sum, n) => sum + n, 0)
  const rests = [
    counts.length > 0 ? `n = ${total} parcelas` : answer.origem,
    ...(answer.data && answer.fonte ? [`preço: ${answer.fonte}, ${priceDateText(answer.data)}`] : []),
    ...(answer.frases.sem_erro ? [answer.frases.sem_erro] : []),
  ]
  return `${sentence} (${rests.join('; ')})`
}

export const CopySentence = ({ answer }: { answer: EconomicAnswer }) => (
  <Button
    size="small"
    icon={<ClipboardCopy aria-hidden className="size-4" />}
    onClick={() => {
      // Over plain HTTP from another machine there is no clipboard.
      const copied = navigator.clipboard?.writeText(sentenceToSend(answer)) ?? Promise.reject(new Error())
      copied.then(
        () => toast.success('Frase copiada'),
        () => toast.error('O navegador não deixou copiar'),
      )
    }}
  >
    Copiar frase
  </Button>
)
