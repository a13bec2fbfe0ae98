import type { Experiment } from '@ensaio/domain'
import { FileArchive, Share } from 'lucide-react'
import { useState } from 'react'
import { open, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Banner, ErrorState, Skeleton } from '../../ui/Surface.tsx'

const EXPORT_MS = 60_000

/** The trial as files for other tools and repositories. */
export function ExportButton({ experiment }: { experiment: Experiment }) {
  const [asking, setAsking] = useState(false)
  if (useSource().name === 'demo') return null
  return (
    <>
      <Button icon={<Share aria-hidden className="size-4" />} onClick={() => setAsking(true)}>
        Exportar
      </Button>
      {asking && <ExportDialog experiment={experiment} onClose={() => setAsking(false)} />}
    </>
  )
}

function ExportDialog({ experiment, onClose }: { experiment: Experiment; onClose: () => void }) {
  const { id, nome } = experiment
  const lacks = useEndpoint('trialMiappeLacks', { params: { id } })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const fetchFile = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const response = await open('trialMiappe', { params: { id } }, { timeoutMs: EXPORT_MS })
      downloadBlob(`MIAPPE - ${nome}.zip`, await response.blob())
      onClose()
    } catch (error) {
      setFailure(reasonOf(error, 'O arquivo não pôde ser feito'))
      setBusy(false)
    }
  }
  const missing = lacks.data?.faltam ?? []
  return (
    <Dialog
      open
      onClose={onClose}
      title="Exportar"
      description="O experimento com parcelas, variáveis e valores, no padrão que repositórios e revistas científicas pedem: ISA-Tab, planilha MIAPPE 1.1 e tabela de valores num zip. Custos não vão."
      footer={
        <Button
          variant="primary"
          icon={<FileArchive aria-hidden className="size-4" />}
          busy={busy}
          onClick={() => void fetchFile()}
        >
          MIAPPE (ISA-Tab)
        </Button>
      }
    >
      {lacks.isPending ? (
        <Skeleton className="h-12" />
      ) : lacks.isError ? (
        <ErrorState message="Erro ao conferir o que falta" onRetry={() => lacks.refetch()} />
      ) : missing.length > 0 ? (
        <Banner tone="warn">Faltam para o MIAPPE: {missing.join(', ')}. Ficam vazios no arquivo.</Banner>
      ) : (
        <Banner tone="ok">O experimento tem tudo o que o MIAPPE exige.</Banner>
      )}
      {failure && (
        <Banner tone="danger" className="mt-4">
          {failure}
        </Banner>
      )}
    </Dialog>
  )
}
