import type { Handoff } from '../../shell/handoff.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Extractor } from './Extractor.tsx'

type Props = { onClose: () => void; onConfirm: (handoff: Handoff) => void }

export function ExtractorDialog({ onClose, onConfirm }: Props) {
  return (
    <Dialog
      open
      onClose={onClose}
      size="full"
      title="Extração Automática"
      description="Envie o relatório em PDF: os dados são lidos dele e você confere antes de usar."
    >
      <Extractor onCancel={onClose} onConfirm={onConfirm} onSaved={onClose} />
    </Dialog>
  )
}
