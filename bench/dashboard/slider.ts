/**
 * What one step of the price's slider costs in the browser with 50 treatments: from the event until everything has its
 * place on the page (script, style and layout), beside the economics alone in this process and beside the same page's
 * smallest change, a step of an empty list of 50 rows: slider.ts [STEPS]. A frame is 16 ms. Needs Chromium (CHROMIUM).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { median, signUp, startServer } from './measure.ts'

const steps = Number(process.argv[2] ?? '60')
const TREATMENTS = 50
const BLOCKS = 4
const FRAME_MS = 16

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-slider-'))
const server = await startServer(dataDir, 3994)
const browser = await chromium.launch({
  ...(process.env['CHROMIUM'] && { executablePath: process.env['CHROMIUM'] }),
  args: ['--no-sandbox'],
})
try {
  const session = await signUp(server.url)
  const id = await planted(session.access_token)
  for (const width of [1440, 390]) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, locale: 'pt-BR' })
    await context.addInitScript((text) => {
      localStorage.setItem('ensaio.auth.token', text)
      localStorage.setItem('ensaio.auth.remember', '1')
    }, JSON.stringify(session))
    const page = await context.newPage()
    await page.goto(`${server.url}/experimentos/${id}?aba=economia&preco=120`)
    if (width < 1024) await page.getByRole('button', { name: 'Preços e custos' }).click()
    await page.getByRole('slider', { name: 'Variação do preço' }).waitFor()
    await page.waitForTimeout(1500)
    const times = await slid(page)
    const bare = await rows(page)
    const [whole, alone] = [median(times), median(bare)]
    const late = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
    console.log(
      `${width} px: ${whole.toFixed(1)} ms a step, 95 % within ${late.toFixed(1)} ms (bar ${FRAME_MS} ms); ` +
        `${(whole / alone).toFixed(1)} times writing the numbers of ${TREATMENTS} bare rows (${alone.toFixed(1)} ms)`,
    )
    await context.close()
  }
} finally {
  await browser.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function planted(token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) })
    const told = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${told}`)
    return JSON.parse(told)
  }
  const { experimento } = await send('POST', '/api/experiments', {
    ...{ consultoria: 'Raiz Forte Pesquisa', marca: 'Dimicron', bu: 'BU2', regional: 'Sul', cidade: 'Ijuí' },
    ...{ estado: 'RS', cultura: 'Soja', cultivar: 'BMX Bônus IPRO', ano: 2024, tipo_estatistica: 'DBC' },
    custo_protocolo: 100,
    tratamentos: Array.from({ length: TREATMENTS }, (_, at) => ({
      ...{ nome: at === 0 ? 'Testemunha' : `Produto ${at}`, modalidade: at === 0 ? 'Controle' : 'Foliar' },
      ...{ produtividade: 3000, custo: (at * 31) % 397 },
      produtos_aplicados: at === 0 ? [] : [{ nome: `Produto ${at}`, dose: 1.5, unidade: 'L/ha' }],
    })),
  })
  const plots = Array.from({ length: TREATMENTS * BLOCKS }, (_, at) => at)
  await send('PUT', `/api/experiments/${experimento.id}/plots`, {
    ...{ versao: 0, delineamento: 'DBC', testemunha: 1 },
    tratamentos: Array.from({ length: TREATMENTS }, (_, at) => ({ numero: at + 1 })),
    variaveis: [
      {
        ...{ chave: 'produtividade', nome: 'Produtividade', unidade: 'kg/ha', tipo: 'continua' },
        ...{ maior_melhor: true, produtividade: true },
      },
    ],
    parcelas: plots.map((at) => ({
      ...{ numero: 101 + at, tratamento: (at % TREATMENTS) + 1, bloco: Math.floor(at / TREATMENTS) + 1 },
    })),
    valores: [
      {
        variavel: 'produtividade',
        avaliacao: null,
        valores: plots.map((at) => 3000 + (((at % TREATMENTS) * 7919) % 601) + ((at * 37) % 90)),
      },
    ],
  })
  return experimento.id
}

/** Milliseconds of each step, up and down again. */
function slid(page: Page): Promise<number[]> {
  return page.evaluate(async (steps) => {
    const slider = document.querySelector<HTMLInputElement>('input[aria-label="Variação do preço"]')
    const put = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    if (!slider || !put) throw new Error('no slider')
    const taken: number[] = []
    for (let step = 0; step < steps; step++) {
      await new Promise(requestAnimationFrame)
      const value = Math.round(20 * Math.sin(step / 4))
      const started = performance.now()
      put.call(slider, String(value))
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      // What was put off to the end of the event has run.
      await Promise.resolve()
      document.body.getBoundingClientRect()
      taken.push(performance.now() - started)
    }
    return taken.slice(5)
  }, steps)
}

/** The same number of rows with three numbers each, written and laid out by hand. */
function rows(page: Page): Promise<number[]> {
  return page.evaluate(
    async ([steps, count]) => {
      const list = document.createElement('ol')
      document.body.append(list)
      const cells = Array.from({ length: count * 3 }, () => document.createElement('span'))
      for (let at = 0; at < count; at++) {
        const item = document.createElement('li')
        item.append(...cells.slice(3 * at, 3 * at + 3))
        list.append(item)
      }
      const taken: number[] = []
      for (let step = 0; step < steps; step++) {
        await new Promise(requestAnimationFrame)
        const started = performance.now()
        for (const [at, cell] of cells.entries()) cell.textContent = `R$ ${(at * 7 + step).toFixed(2)}`
        document.body.getBoundingClientRect()
        taken.push(performance.now() - started)
      }
      list.remove()
      return taken.slice(5)
    },
    [steps, TREATMENTS] as const,
  )
}
