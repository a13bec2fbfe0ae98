import type { Page } from '../read/page.ts'
import type { TextLine } from '../result.ts'
import { makeLines } from './lines.ts'
import { markCheckBoxes } from './marked-words.ts'
import { splitColumns } from './regions.ts'

/** Every line of the document in the order in which it is read, tables and running headers included. */
export function textLines(pages: readonly Page[]): TextLine[] {
  return pages.flatMap((page) =>
    splitColumns(markCheckBoxes(page), page.width, page.rulings)
      .flatMap((region) => makeLines(region, page.rulings))
      .map((line): TextLine => {
        const { x0, y0, x1, y1 } = page.project(line)
        return {
          page: page.index + 1,
          bbox: [x0, y0, x1, y1],
          text: line.segments.map((segment) => segment.text).join('  '),
        }
      }),
  )
}
