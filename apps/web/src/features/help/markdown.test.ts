import { expect, test } from 'vitest'
import { anchor, readMarkdown } from './markdown.ts'

test('headings, paragraphs, lists and pictures become blocks', () => {
  const blocks = readMarkdown(
    '# Guia\n\nUm **passo** e [um lugar](/extractor).\n\n- um\n- dois\n\n1. primeiro\n\n![Tela](guia/tela.webp)',
  )
  expect(blocks).toEqual([
    { kind: 'heading', level: 1, text: 'Guia', id: 'guia' },
    {
      kind: 'paragraph',
      content: [
        { kind: 'text', text: 'Um ' },
        { kind: 'strong', text: 'passo' },
        { kind: 'text', text: ' e ' },
        { kind: 'link', text: 'um lugar', href: '/extractor' },
        { kind: 'text', text: '.' },
      ],
    },
    {
      kind: 'list',
      ordered: false,
      items: [[{ kind: 'text', text: 'um' }], [{ kind: 'text', text: 'dois' }]],
    },
    { kind: 'list', ordered: true, items: [[{ kind: 'text', text: 'primeiro' }]] },
    { kind: 'image', alt: 'Tela', src: 'guia/tela.webp' },
  ])
})

test('an address of a section has no accents', () => {
  expect(anchor('Ler um relatório em PDF')).toBe('ler-um-relatorio-em-pdf')
})
