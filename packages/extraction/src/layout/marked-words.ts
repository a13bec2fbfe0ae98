import type { CheckBox, Page, Word } from '../read/page.ts'

/** Drawn check boxes become characters of the text: a ballot box with or without a mark. */
export function markCheckBoxes(page: Page): Word[] {
  const size = bodySize(page.words)
  const marks = page.checkBoxes.map((box: CheckBox): Word => {
    const beside = page.words.find(
      (w) =>
        w.x0 > box.x1 - 2 &&
        w.x0 - box.x1 < 20 &&
        (w.y0 + w.y1) / 2 > box.y0 - 4 &&
        (w.y0 + w.y1) / 2 < box.y1 + 4,
    )
    return {
      text: box.checked ? '☑' : '☐',
      x0: box.x0,
      x1: box.x1,
      y0: box.y0,
      y1: box.y1,
      base: beside?.base ?? box.y1,
      size: beside?.size ?? size,
      bold: false,
      page: page.index,
    }
  })
  const bullets = page.bullets.flatMap((box): Word[] => {
    const beside = page.words.filter((w) => w.y0 < box.y0 && w.y1 > box.y1)
    const next = beside.find((w) => w.x0 > box.x1 && w.x0 - box.x1 < 26)
    const before = beside.some((w) => w.x1 < box.x0 + 2 && box.x0 - w.x1 < 60)
    return next && !before
      ? [{ ...box, text: '•', base: next.base, size: next.size, bold: false, page: page.index }]
      : []
  })
  return [...page.words, ...marks, ...bullets]
}

export function bodySize(words: readonly Word[]): number {
  const sizes = words.map((word) => word.size).sort((a, b) => a - b)
  return sizes[Math.floor(sizes.length / 2)] ?? 10
}
