/** A piece of a line: plain, strong or a link. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'strong'; text: string }
  | { kind: 'link'; text: string; href: string }

export type MarkdownBlock =
  | { kind: 'heading'; level: 1 | 2 | 3; text: string; id: string }
  | { kind: 'paragraph'; content: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'image'; alt: string; src: string }

/** Reads the part of Markdown that the guide is written in: headings, paragraphs, lists, pictures, strong, links. */
export function readMarkdown(source: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  for (const chunk of source.trim().split(/\n{2,}/)) {
    const lines = chunk.split('\n')
    const [first = ''] = lines
    const heading = /^(#{1,3}) (.+)$/.exec(first)
    const image = /^!\[([^\]]*)\]\(([^)]+)\)$/.exec(first)
    if (heading?.[1] && heading[2]) {
      const level = heading[1].length === 1 ? 1 : heading[1].length === 2 ? 2 : 3
      blocks.push({ kind: 'heading', level, text: heading[2], id: anchor(heading[2]) })
    } else if (image?.[2]) blocks.push({ kind: 'image', alt: image[1] ?? '', src: image[2] })
    else if (/^(?:-|\d+\.) /.test(first))
      blocks.push({
        kind: 'list',
        ordered: /^\d/.test(first),
        items: lines.map((line) => inline(line.replace(/^(?:-|\d+\.) /, ''))),
      })
    else blocks.push({ kind: 'paragraph', content: inline(lines.join(' ')) })
  }
  return blocks
}

function inline(text: string): Inline[] {
  return text.split(/(\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).flatMap((part): Inline[] => {
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part)
    if (link?.[1] && link[2]) return [{ kind: 'link', text: link[1], href: link[2] }]
    if (/^\*\*.+\*\*$/.test(part)) return [{ kind: 'strong', text: part.slice(2, -2) }]
    return part === '' ? [] : [{ kind: 'text', text: part }]
  })
}

/** 'Ler um relatório em PDF' to 'ler-um-relatorio-em-pdf'. */
export const anchor = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
