import { describe, expect, test } from 'vitest'
import { logoDrawing, losesParts } from './logo.ts'

const drawn = (text: string) => logoDrawing(new TextEncoder().encode(text))
const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`

describe('a drawing is written anew by its shapes', () => {
  test('nothing of it reaches out or runs', () => {
    const out = drawn(
      svg(
        '<script>x()</script><image href="file:///etc/passwd"/><use href="#a"/><foreignObject><p>a</p></foreignObject>' +
          '<rect width="9" height="9" fill="url(http://a/b#c)" onload="x()" style="fill:url(//a)"/><path d="M0 0h9"/>',
      ),
    )
    expect(out).toContain('<rect width="9" height="9"/>')
    expect(out).toContain('<path d="M0 0h9"/>')
    expect(out).not.toMatch(/image|href|http:\/\/a|onload|script|url|foreign/)
  })

  test('words and copies would be lost: that is said before anything is drawn', () => {
    const loses = (text: string) => losesParts(new TextEncoder().encode(text))
    expect(loses(svg('<text x="1" y="5">Minha Marca</text>'))).toBe(true)
    expect(loses(svg('<defs><path id="a" d="M0 0h9"/></defs><use href="#a"/>'))).toBe(true)
    expect(loses(svg('<!-- <text>a</text> --><title>text</title><rect width="9" height="9"/>'))).toBe(false)
    expect(loses('\x89PNG\r\n')).toBe(false)
  })

  test('rules of classes count, and what is commented out is not drawn', () => {
    const out = drawn(
      svg(
        '<style>.st0,.b{fill:#00A040}</style><rect class="st0" width="9" height="9"/><!-- <rect fill="red"/> -->',
      ),
    )
    expect(out).toContain('style="fill:#00A040;"')
    expect(out).not.toContain('red')
  })

  test('rules that many elements share make it no longer than it may be', () => {
    const rule = `.a{${'fill:red;'.repeat(40)}}`.repeat(500)
    const out = drawn(
      svg(`<style>${rule}</style>${`<rect class="${'a '.repeat(900)}" width="9" height="9"/>`.repeat(2000)}`),
    )
    expect(out?.length).toBeLessThan(5_000_000)
  })

  test('a megabyte of one name, of open brackets or of signs takes no time', () => {
    for (const hostile of [
      'a'.repeat(1e6),
      'url('.repeat(25e4),
      '<'.repeat(1e6),
      '<style>'.repeat(14e4),
      '.a{b:c}'.repeat(14e4),
      '="'.repeat(5e5),
      '.a{'.repeat(3e5),
    ]) {
      drawn(svg(`<rect ${hostile}/>`))
      drawn(svg(`<style>${hostile}</style><path d="${hostile}"/>`))
      drawn(hostile)
    }
    // It ends: each was half a minute and more where patterns looked back.
    expect(drawn(svg('<rect width="9" height="9"/>'))).not.toBeNull()
  })
})

describe('a picture is as large as it is', () => {
  const jpeg = (...parts: number[][]) => new Uint8Array([0xff, 0xd8, ...parts.flat(), ...Array(40).fill(0)])
  const frame = (size: number) => [
    0xff,
    0xc0,
    0,
    11,
    8,
    size >> 8,
    size & 255,
    size >> 8,
    size & 255,
    1,
    1,
    0x11,
    0,
  ]
  const scan = [0xff, 0xda, 0, 2]

  test('one that hides its size behind another is judged by the larger', () => {
    expect(logoDrawing(jpeg(frame(10), frame(14_000), scan))).toBeNull()
    expect(logoDrawing(jpeg([0xff, 0xff, 0xff], frame(14_000).slice(1), frame(10), scan))).toBeNull()
    expect(logoDrawing(jpeg(frame(10), scan))).toContain('width="10"')
  })

  test('one that is not told strictly is none', () => {
    expect(logoDrawing(jpeg([0xff, 0xe0, 0, 1], frame(10), scan))).toBeNull()
    expect(logoDrawing(jpeg([0x12], frame(10), scan))).toBeNull()
  })
})
