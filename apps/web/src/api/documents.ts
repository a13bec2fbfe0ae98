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

async function urlOf(document: Document): Promise<string> {
  const response = await currentSource().document(document.id)
  const blob = new Blob([await response.arrayBuffer()], { type: 'application/pdf' })
  const url = URL.createObjectURL(blob)
  setTimeout(() => URL.revokeObjectURL(url), OBJECT_URL_LIFE_MS)
  return url
}

/** Shows the PDF in `tab`, which is opened by the click itself so that no browser blocks it. */
export async function openDocument(document: Document, tab: Window | null): Promise<void> {
  try {
    const url = await urlOf(document)
    if (tab) tab.location.replace(url)
    else window.open(url, '_blank')
  } catch (error) {
    tab?.close()
    throw error
  }
}

/** The PDF for saving, with the name to save it under. */
export async function saveDocument(
  document: Document,
  fallbackName: string | null = null,
): Promise<{ url: string; filename: string }> {
  return {
    url: await urlOf(document),
    filename: document.filename || fallbackName || `documento-${document.id}`,
  }
}

/** The same for an experiment's own document. */
export async function viewDocument(experiment: Subject, tab: Window | null): Promise<void> {
  try {
    await openDocument(await chosenDocument(experiment), tab)
  } catch (error) {
    tab?.close()
    throw error
  }
}

export const documentFile = async (experiment: Subject): Promise<{ url: string; filename: string }> =>
  saveDocument(await chosenDocument(experiment), experiment.pdf_filename)
