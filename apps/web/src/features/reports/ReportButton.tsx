import { type Experiment, REPORT_SECTIONS, type ReportFormat, SECTION_NAMES } from '@ensaio/domain'
import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { open, reasonOf } from '../../api/client.ts'
import { useSource } from '../../api/source.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Banner } from '../../ui/Surface.tsx'
import { Formats, Parts, useParts } from './ReportChoice.tsx'

const REPORT_MS = 60_000
const FORMATS = [
  { value: 'pdf', label: 'PDF' },
  { value: 'docx', label: 'Word' },
  { value: 'resumo', label: 'Resumo de uma página' },
] as const

/** The trial's report as a file; which parts it has is remembered. */
export function ReportButton({ experiment }: { experiment: Experiment }) {
  const [asking, setAsking] = useState(false)
  if (useSource().name === 'demo') return null
  return (
    <>
      <Button icon={<FileDown aria-hidden className="size-4" />} onClick={() => setAsking(true)}>
        Baixar relatório
      </Button>
      {asking && <ReportDialog experiment={experiment} onClose={() => setAsking(false)} />}
    </>
  )
}

function ReportDialog({ experiment, onClose }: { experiment: Experiment; onClose: () => void }) {
  const parts = useParts(REPORT_SECTIONS, 'experimento_sem')
  const { chosen } = parts
  const [format, setFormat] = useState<ReportFormat>('pdf')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const fetchReport = async () => {
    setBusy(true)
    setFailure(null)
    try {
      parts.keep()
      const response = await open(
        'trialReport',
        {
          params: { id: experiment.id },
          query: { formato: format, ...(format !== 'resumo' && { secoes: chosen.join(',') }) },
        },
        { timeoutMs: REPORT_MS },
      )
      downloadBlob(
        `${format === 'resumo' ? 'Resumo' : 'Relatório'} - ${experiment.nome}.${format === 'docx' ? 'docx' : 'pdf'}`,
        await response.blob(),
      )
      onClose()
    } catch (error) {
      setFailure(reasonOf(error, 'O relatório não pôde ser feito'))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Baixar relatório"
      description="Em A4, nas normas da ABNT, acessível a leitores de tela. O que o experimento não tem fica de fora."
      footer={
        <Button
          variant="primary"
          busy={busy}
          disabled={format !== 'resumo' && chosen.length === 0}
          onClick={() => void fetchReport()}
        >
          Baixar
        </Button>
      }
    >
      <Formats formats={FORMATS} value={format} onChange={setFormat} />
      <Parts names={SECTION_NAMES} parts={parts} hidden={format === 'resumo'} />
      {failure && (
        <Banner tone="danger" className="mt-4">
          {failure}
        </Banner>
      )}
    </Dialog>
  )
}
