import { Fragment } from 'react'
import guide from '../../../../../docs/guia.md?raw'
import { useTitle } from '../../shell/title.ts'
import { type Inline, type MarkdownBlock, readMarkdown } from './markdown.ts'

/** The pictures of the guide, light and dark, by their names in the text. */
const PICTURES = import.meta.glob<string>('../../../../../docs/guia/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})
const picture = (name: string): string | undefined => PICTURES[`../../../../../docs/guia/${name}`]

const [TITLE, ...BLOCKS] = readMarkdown(guide)

/** The guide of docs/guia.md, with its sections beside it. */
export function HelpPage() {
  useTitle('Ajuda')
  const sections = BLOCKS.filter((block) => block.kind === 'heading' && block.level === 2)
  return (
    <main
      id="conteudo"
      className="page grid gap-x-10 gap-y-5 py-10 lg:grid-cols-[14rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]"
    >
      <div className="lg:col-start-2">{TITLE && <Block block={TITLE} />}</div>
      <nav
        aria-label="Seções da ajuda"
        className="lg:sticky lg:top-20 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:self-start"
      >
        <ul className="flex flex-wrap gap-x-4 gap-y-1 lg:flex-col lg:gap-y-0">
          {sections.map(
            (section) =>
              section.kind === 'heading' && (
                <li key={section.id}>
                  <a
                    href={`#${section.id}`}
                    className="block rounded-md py-1.5 text-small text-muted hover:text-text hover:underline"
                  >
                    {section.text}
                  </a>
                </li>
              ),
          )}
        </ul>
      </nav>
      <article className="flex max-w-3xl min-w-0 flex-col gap-4 lg:col-start-2">
        {BLOCKS.map((block) => (
          <Block key={keyOf(block)} block={block} />
        ))}
      </article>
    </main>
  )
}

const keyOf = (block: MarkdownBlock): string => JSON.stringify(block).slice(0, 120)

function Block({ block }: { block: MarkdownBlock }) {
  switch (block.kind) {
    case 'heading':
      if (block.level === 1) return <h1 className="text-display font-semibold">{block.text}</h1>
      if (block.level === 2)
        return (
          <h2 id={block.id} className="mt-8 scroll-mt-20 border-t border-line pt-6 text-title font-semibold">
            {block.text}
          </h2>
        )
      return (
        <h3 id={block.id} className="mt-3 scroll-mt-20 font-semibold">
          {block.text}
        </h3>
      )
    case 'paragraph':
      return (
        <p className="leading-relaxed">
          <Pieces content={block.content} />
        </p>
      )
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul'
      return (
        <List
          className={`flex flex-col gap-1.5 pl-5 leading-relaxed ${block.ordered ? 'list-decimal' : 'list-disc'}`}
        >
          {block.items.map((item) => (
            <li key={JSON.stringify(item)}>
              <Pieces content={item} />
            </li>
          ))}
        </List>
      )
    }
    case 'image':
      return <Picture alt={block.alt} src={block.src} />
  }
}

function Pieces({ content }: { content: readonly Inline[] }) {
  return content.map((piece) => (
    <Fragment key={`${piece.kind} ${piece.text}`}>
      {piece.kind === 'strong' ? (
        <strong className="font-semibold">{piece.text}</strong>
      ) : piece.kind === 'link' ? (
        <a href={piece.href} className="underline underline-offset-4">
          {piece.text}
        </a>
      ) : (
        piece.text
      )}
    </Fragment>
  ))
}

/** Both themes are drawn; the page's theme decides which one is seen. */
function Picture({ alt, src }: { alt: string; src: string }) {
  const name = src.replace(/^guia\//, '')
  const light = picture(name)
  const dark = picture(name.replace('.webp', '-escuro.webp')) ?? light
  const shared = { loading: 'lazy', width: 1200, height: 750 } as const
  return (
    <figure className="my-2 overflow-hidden rounded-md border border-line">
      <img {...shared} src={light} alt={alt} className="only-light h-auto w-full" />
      <img {...shared} src={dark} alt={alt} className="only-dark h-auto w-full" />
    </figure>
  )
}
