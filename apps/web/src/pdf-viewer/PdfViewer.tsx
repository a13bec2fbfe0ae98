import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import './pdf-text.css'
import { ZoomIn, ZoomOut } from 'lucide-react'
import * as pdfjs from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { ErrorState, Skeleton } from '../ui/Surface.tsx'

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl

/** A place on a page: `bbox` is [x0, y0, x1, y1] in PDF points from the page's top left. */
export type Highlight = {
  id: string
  page: number
  bbox: readonly [number, number, number, number]
  label: string
  doubtful: boolean
}

type Props = {
  file: Blob
  highlights: readonly Highlight[]
  active: string | null
  onPick: (id: string) => void
  /** Text that the person selected on a page; '' when the selection is gone. */
  onSelectText?: (text: string) => void
}

/** Pages of a PDF with the places that values came from, each a button. */
export function PdfViewer({ file, highlights, active, onPick, onSelectText }: Props) {
  const [document, setDocument] = useState<PDFDocumentProxy | null>(null)
  const [failed, setFailed] = useState(false)
  const [zoom, setZoom] = useState(0)
  useEffect(() => {
    let gone = false
    let task: ReturnType<typeof pdfjs.getDocument> | undefined
    void file.arrayBuffer().then((data) => {
      if (gone) return
      task = pdfjs.getDocument({ data, isEvalSupported: false, useSystemFonts: true })
      task.promise.then(
        (loaded) => !gone && setDocument(loaded),
        () => !gone && setFailed(true),
      )
    })
    return () => {
      gone = true
      void task?.destroy()
    }
  }, [file])
  const pages = useRef<HTMLOListElement>(null)
  // Told where a drag ends, beyond the pages too, and as it changes by keys or by the handles of a touch screen;
  // not while the pointer draws, since what the person is told moves the pages.
  useEffect(() => {
    let drawing = false
    const inside = (node: unknown) => node instanceof Node && Boolean(pages.current?.contains(node))
    const selected = () => (inside(getSelection()?.anchorNode) ? selectedText() : '')
    const watch = new AbortController()
    const on = (name: string, listener: (event: Event) => void) =>
      window.document.addEventListener(name, listener, { signal: watch.signal })
    on('pointerdown', ({ target }) => {
      drawing = inside(target)
    })
    for (const name of ['pointerup', 'pointercancel'])
      on(name, () => {
        if (drawing) onSelectText?.(selected())
        drawing = false
      })
    on('selectionchange', () => {
      const text = drawing ? '' : selected()
      if (text) onSelectText?.(text)
    })
    return () => watch.abort()
  }, [onSelectText])

  if (failed) return <ErrorState message="O PDF não pôde ser mostrado." />
  if (!document) return <Skeleton className="h-full min-h-96" />
  return (
    <>
      <Zoom level={zoom} onLevel={setZoom} />
      <ol ref={pages} className="flex flex-col gap-3" style={{ width: `${ZOOMS[zoom]}%` }}>
        {Array.from({ length: document.numPages }, (_, index) => index + 1).map((number) => (
          <li key={number}>
            <Page
              document={document}
              number={number}
              highlights={highlights.filter(({ page }) => page === number)}
              active={active}
              onPick={onPick}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

function selectedText(): string {
  return getSelection()?.toString().replace(/\s+/g, ' ').trim() ?? ''
}

/** Of the frame's width; a page of tables is read on a phone at three times that. */
const ZOOMS = [100, 150, 200, 300, 400] as const

function Zoom({ level, onLevel }: { level: number; onLevel: (level: number) => void }) {
  return (
    <div className="no-print sticky top-0 left-0 z-20 mb-2 ml-auto flex w-max items-center rounded-md border border-line bg-surface shadow">
      <IconButton label="Diminuir a página" disabled={level === 0} onClick={() => onLevel(level - 1)}>
        <ZoomOut aria-hidden />
      </IconButton>
      <span aria-live="polite" className="figures w-11 text-center text-small">
        {ZOOMS[level]}%
      </span>
      <IconButton
        label="Aumentar a página"
        disabled={level === ZOOMS.length - 1}
        onClick={() => onLevel(level + 1)}
      >
        <ZoomIn aria-hidden />
      </IconButton>
    </div>
  )
}

/** Of a page's picture, in pixels; what is larger, phones do not draw. */
const WIDEST = 4096

type PageProps = Omit<Props, 'file' | 'onSelectText'> & { document: PDFDocumentProxy; number: number }

function Page({ document, number, highlights, active, onPick }: PageProps) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [page, setPage] = useState<PDFPageProxy | null>(null)
  const [width, setWidth] = useState(0)
  const [near, setNear] = useState(number <= 2)

  useEffect(() => {
    let gone = false
    // A document that is closed while a page is on its way has nothing more to show.
    document.getPage(number).then(
      (loaded) => !gone && setPage(loaded),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [document, number])

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const resize = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    const visible = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '600px',
    })
    resize.observe(element)
    visible.observe(element)
    return () => {
      resize.disconnect()
      visible.disconnect()
    }
  }, [])

  const natural = page?.getViewport({ scale: 1 })
  const scale = natural && width > 0 ? width / natural.width : 1

  useEffect(() => {
    const target = canvas.current
    if (!page || !near || width === 0 || !target) return
    const ratio = Math.min(2, devicePixelRatio, WIDEST / width)
    const viewport = page.getViewport({ scale: scale * ratio })
    target.width = Math.floor(viewport.width)
    target.height = Math.floor(viewport.height)
    const task = page.render({ canvas: target, viewport })
    task.promise.catch(() => undefined)
    return () => task.cancel()
  }, [page, near, width, scale])

  useEffect(() => {
    const target = text.current
    if (!page || !near || width === 0 || !target) return
    const layer = new pdfjs.TextLayer({
      textContentSource: page.streamTextContent(),
      container: target,
      viewport: page.getViewport({ scale }),
    })
    layer.render().catch(() => undefined)
    return () => {
      layer.cancel()
      target.replaceChildren()
    }
  }, [page, near, width, scale])

  const activeHere = highlights.some(({ id }) => id === active)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another active place on the same page is scrolled to as well
  useEffect(() => {
    if (!activeHere) return
    frame.current
      ?.querySelector('[data-active="true"]')
      ?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'smooth' })
  }, [activeHere, active])

  return (
    <div
      ref={frame}
      className="relative w-full overflow-hidden border border-line bg-white"
      style={{ aspectRatio: natural ? `${natural.width} / ${natural.height}` : '1 / 1.414' }}
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Página ${number} do relatório`}
        className="absolute inset-0 size-full"
      />
      <div ref={text} className="pdf-text" style={{ '--total-scale-factor': scale } as CSSProperties} />
      {highlights.map(({ id, bbox, label, doubtful }, index) => {
        const [x0, y0, x1, y1] = bbox
        return (
          <button
            key={id}
            type="button"
            data-active={id === active}
            title={label}
            // One stop for the keyboard; the arrows go from place to place.
            tabIndex={id === active || (!activeHere && index === 0) ? 0 : -1}
            onKeyDown={moveByArrows}
            onClick={() => onPick(id)}
            className={classes(
              'absolute rounded-sm border',
              doubtful ? 'border-[#b45309]/60 bg-[#f59e0b]/20' : 'border-[#1f4d3a]/30 bg-[#1f4d3a]/10',
              id === active ? 'z-10 border-2 !border-[#1d4ed8] !bg-[#2563eb]/30' : 'hover:bg-[#2563eb]/20',
            )}
            style={{
              left: (x0 - 2) * scale,
              top: (y0 - 2) * scale,
              width: (x1 - x0 + 4) * scale,
              height: (y1 - y0 + 4) * scale,
            }}
          >
            <span className="sr-only">{label}</span>
          </button>
        )
      })}
    </div>
  )
}

function moveByArrows(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const sibling =
    step > 0 ? event.currentTarget.nextElementSibling : event.currentTarget.previousElementSibling
  if (sibling instanceof HTMLButtonElement) sibling.focus()
}
