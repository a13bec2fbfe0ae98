import { DOCUMENTS_PER_EXPERIMENT, type Document, OBJECT_URL_LIFE_MS } from '@ensaio/domain'
import { currentSource } from './source.ts'

type Subject = { id: string; pdf_filename: string | null }

export class NoDocument extends Error {}

/** The document whose name is the experiment's, otherwise the first. */
async function chosenDocument(experiment: Subject): Promise<Document> {
  const { documents } = await currentSource().read('listDocuments', {
    query: { experimentId: experiment.id, limit: DOCUMENTS_PER_EXPERIMENT },
  })
  const chosen = documents.find(({ filename }) => filename === experiment.pdf_filename) ?? documents[0]
  if (!chosen) throw new NoDocument()
  return chosen
}

async function fetchDocument(experiment: Subject): Promise<{ document: Document; url: string }> {
  const document = await chosenDocument(experiment)
  const response = await currentSource().document(document.id)
  const blob = new Blob([await response.arrayBuffer()], { type: 'application/pdf' })
  return { document, url: URL.createObjectURL(blob) }
}

const releaseLater = (url: string) => setTimeout(() => URL.revokeObjectURL(url), OBJECT_URL_LIFE_MS)

/** Shows the PDF in `tab`, which is opened by the click itself so that no browser blocks it. */
export async function viewDocument(experiment: Subject, tab: Window | null): Promise<void> {
  try {
    const { url } = await fetchDocument(experiment)
    releaseLater(url)
    if (tab) tab.location.replace(url)
    else window.open(url, '_blank')
  } catch (error) {
    tab?.close()
    throw error
  }
}

/** The PDF for saving, with the name to save it under. */
export async function documentFile(experiment: Subject): Promise<{ url: string; filename: string }> {
  const { document, url } = await fetchDocument(experiment)
  releaseLater(url)
  return { url, filename: document.filename || experiment.pdf_filename || `documento-${document.id}` }
}
