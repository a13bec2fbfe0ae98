import type { ManyReport as Report } from '@ensaio/domain'
import { CONSOLIDATED_NAMES, CONSOLIDATED_SECTIONS, counted, filterText } from '@ensaio/domain'
import { useEffect, useRef, useState } from 'react'
import { call, open, reasonOf } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Banner } from '../../ui/Surface.tsx'
import type { ReportOf } from './ManyReportButton.tsx'
import { Formats, Parts, useParts } from './ReportChoice.tsx'

const FILE_MS = 120_000
const ASK_MS = 1_000
const FORMATS = [
  { value: 'pdf', label: 'PDF' },
  { value: 'docx', label: 'Word' },
  { value: 'pptx', label: 'Apresentação (PowerPoint)' },
] as const

/** Takes a finished report away. */
export async function saveReport({ id, formato }: Pick<Report, 'id' | 'formato'>): Promise<void> {
  const response = await open('reportFile', { params: { id } }, { timeoutMs: FILE_MS })
  downloadBlob(`Relatório consolidado.${formato}`, await response.blob())
}

/** A report of all that a filter lets through, or of what was picked: begun here, made on the server, taken away when it is ready. */
export function ManyReport({ of, onClose }: { of: ReportOf; onClose: () => void }) {
  const [format, setFormat] = useState<Report['formato']>('pdf')
  const parts = useParts(CONSOLIDATED_SECTIONS, 'consolidado_sem')
  const [report, setReport] = useState<Report | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const left = useRef(false)
  const id = report?.id
  const making = report?.estado === 'fazendo'
  useEffect(() => {
    if (!making || id === undefined) return
    const timer = setInterval(async () => {
      try {
        const { relatorio } = await call('getReport', { params: { id } })
        if (!left.current) setReport(relatorio)
      } catch (error) {
        if (!left.current) setFailure(reasonOf(error))
      }
    }, ASK_MS)
    return () => clearInterval(timer)
  }, [id, making])
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])

  const doing = async (work: () => Promise<void>, reason: string) => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(reasonOf(error, reason))
    }
    setBusy(false)
  }
  const begin = () =>
    doing(async () => {
      parts.keep()
      const { relatorio } = await call('createReport', {
        body: { ...of, formato: format, ...(format !== 'pptx' && { secoes: parts.chosen }) },
      })
      setReport(relatorio)
    }, 'O relatório não pôde ser feito')
  const cancel = () =>
    doing(async () => {
      if (id !== undefined) await call('removeReport', { params: { id } })
      setReport(null)
    }, 'O relatório não pôde ser cancelado')

  return (
    <Dialog
      open
      onClose={onClose}
      title="Relatório consolidado"
      description={
        'filtro' in of
          ? filterText(of.filtro)
          : counted(of.experimentos.length, 'ensaio escolhido', 'ensaios escolhidos')
      }
      footer={
        report?.estado === 'pronto' ? (
          <Button
            variant="primary"
            busy={busy}
            onClick={() => void doing(() => saveReport(report), 'O relatório não pôde ser baixado')}
          >
            Baixar
          </Button>
        ) : making ? (
          <Button busy={busy} onClick={() => void cancel()}>
            Cancelar o relatório
          </Button>
        ) : (
          <Button
            variant="primary"
            busy={busy}
            disabled={format !== 'pptx' && parts.chosen.length === 0}
            onClick={() => void begin()}
          >
            Fazer relatório
          </Button>
        )
      }
    >
      {!report && (
        <>
          <Formats formats={FORMATS} value={format} onChange={setFormat} />
          <Parts names={CONSOLIDATED_NAMES} parts={parts} hidden={format === 'pptx'} />
        </>
      )}
      {making && (
        <div className="flex flex-col gap-2" role="status">
          <p>
            Lendo {counted(report.n, 'ensaio', 'ensaios')}… Pode fechar: um email avisa quando estiver pronto.
          </p>
          <progress
            className="w-full accent-(--accent)"
            aria-label="Andamento do relatório"
            value={report.progresso}
            max={1}
          />
        </div>
      )}
      {report?.estado === 'pronto' && (
        <Banner tone="ok" title="O relatório está pronto.">
          {counted(report.n, 'ensaio', 'ensaios')}; fica guardado por 7 dias.
        </Banner>
      )}
      {report?.estado === 'falhou' && (
        <Banner tone="danger">O relatório não pôde ser feito. Tente de novo.</Banner>
      )}
      {failure && (
        <Banner tone="danger" className="mt-4">
          {failure}
        </Banner>
      )}
    </Dialog>
  )
}
