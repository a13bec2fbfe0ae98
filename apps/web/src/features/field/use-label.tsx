import { useState } from 'react'
import { findPlot, labelCode } from '../../field-store/labels.ts'
import { go, trialPath } from './address.tsx'
import { field, useFieldState } from './field.ts'
import { Notice, Touch } from './parts.tsx'
import { placeKey } from './use-place.ts'

/** Leads to the plot that a scanned or typed text means: here, in another trial of this phone, or elsewhere. */
export function useLabel(within: string | null, onPlot: (plot: number) => void) {
  const { packages } = useFieldState()
  const [other, setOther] = useState<{ name: string; path: string; place: [string, unknown] } | null>(null)
  /** Whether the text is a label's, or a plot's of this trial. */
  const find = (text: string): boolean => {
    const hit = findPlot(packages, text, within)
    if (!hit) {
      const code = labelCode(text)
      if (!/^[0-9A-Z]{10}$/.test(code)) return false
      go(`/q/${code}`)
      return true
    }
    const { pacote, experimento, pessoa } = hit.package
    if (experimento === within) {
      onPlot(hit.plot)
      return true
    }
    const plot = pacote.parcelas[hit.plot]
    setOther({
      name: pacote.nome,
      path: trialPath(experimento, 'coleta'),
      place: [placeKey({ pessoa, experimento }), { parcela: plot?.id ?? '', variavel: null }],
    })
    return true
  }
  const elsewhere = other && (
    <Notice tone="info">
      <p>Esta etiqueta é do ensaio {other.name}.</p>
      <Touch className="mt-2" onClick={() => void field.put(...other.place).then(() => go(other.path))}>
        Abrir
      </Touch>
    </Notice>
  )
  return { find, elsewhere }
}
