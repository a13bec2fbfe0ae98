import type { OfficeKind } from '../office.ts'
import { esc, type Item } from '../pieces.ts'
import type { Random } from '../random.ts'
import type { Truth } from '../score.ts'
import { TITLES } from '../wording.ts'
import type { World } from '../world.ts'

/** A report: how it looks and what is true of it. */
export interface Report {
  html: string
  truth: Truth
  landscape?: boolean
  /** Turned into a picture of the page, with or without a text layer that cannot be trusted. */
  scan?: 'plain' | 'badLayer'
  /** Turned by the page's own entry, a quarter clockwise. */
  turned?: boolean
  /** Set by LibreOffice: `html` is its text, or a flat OpenDocument sheet. */
  office?: OfficeKind
  /** Parts marked with class 'photo' are printed as pictures. */
  photo?: string
}

export type Family = (random: Random) => Report

export const footer = (world: World, random: Random): string =>
  random.chance(0.5)
    ? `<footer>${esc(world.truth.consultoria ?? 'Relatório')} · ${world.officeCity}${random.chance(0.4) ? ` · Emitido em 12/03/${(world.truth.ano ?? 2023) + 1}` : ''}</footer>`
    : ''

export const title = (random: Random, world: World): string =>
  `<h1>${random.pick(TITLES)}${random.chance(0.4) ? ` – ${world.truth.cultura}` : ''}</h1>`

export const caption = (random: Random): string =>
  random.pick([
    'Tabela 1. Resultados por tratamento',
    'Quadro 1 - Produtividade e custos',
    '',
    'Resultados',
    'Tabela 2 – Tratamentos e rendimento',
  ])

export const note = (random: Random, world: World): string =>
  random.pick([
    '',
    '<p class="caption">Médias seguidas da mesma letra não diferem entre si pelo teste de Tukey a 5%.</p>',
    `<p class="caption">Produtos da ${world.otherBrand} foram usados apenas como referência em outros ensaios.</p>`,
    `<p class="caption">Em área vizinha, em ${world.neighbourCity}, a média da safra anterior foi de 3.210 kg/ha.</p>`,
  ])

export function list(items: readonly Item[], random: Random): { html: string; style: string } {
  const kind = random.int(0, 6)
  const row = (i: Item): [string, string] => [esc(i.label), esc(i.value)]
  if (kind === 0)
    return {
      html: items.map((i) => `<p class="kv"><b>${row(i)[0]}:</b> ${row(i)[1]}</p>`).join(''),
      style: '.kv{margin:2px 0}',
    }
  if (kind === 1)
    return {
      html: `<div>${items.map((i) => `<div class="lead"><span>${row(i)[0]}</span><i></i><span>${row(i)[1]}</span></div>`).join('')}</div>`,
      style: '.lead{display:flex}.lead i{flex:1;border-bottom:1px dotted #555;margin:0 6px}',
    }
  if (kind === 2)
    return {
      html: `<table class="form">${items.map((i) => `<tr><th>${row(i)[0]}</th><td>${row(i)[1]}</td></tr>`).join('')}</table>`,
      style: '.form td,.form th{border:1px solid #777;padding:2px 8px}.form{border-collapse:collapse}',
    }
  if (kind === 3) {
    let html = '<table class="form">'
    for (let k = 0; k < items.length; k += 2) {
      const [a, b] = [items[k], items[k + 1]]
      html += `<tr><td><b>${esc(a?.label ?? '')}:</b> ${esc(a?.value ?? '')}</td><td>${b ? `<b>${esc(b.label)}:</b> ${esc(b.value)}` : ''}</td></tr>`
    }
    return {
      html: `${html}</table>`,
      style: '.form td{border:1px solid #777;padding:3px 8px}.form{border-collapse:collapse;width:100%}',
    }
  }
  if (kind === 4) {
    let html = '<table class="form">'
    for (let k = 0; k < items.length; k += 2) {
      const [a, b] = [items[k], items[k + 1]]
      html += `<tr><th>${esc(a?.label ?? '')}</th><td>${esc(a?.value ?? '')}</td><th>${esc(b?.label ?? '')}</th><td>${esc(b?.value ?? '')}</td></tr>`
    }
    return {
      html: `${html}</table>`,
      style: `.form td,.form th{${random.chance(0.6) ? 'border:1px solid #999;' : ''}padding:3px 9px}.form{border-collapse:collapse}.form th{background:#eee}`,
    }
  }
  if (kind === 5)
    return {
      html: `<table class="form">${items.map((i) => `<tr><td>${row(i)[0]}</td><td>${row(i)[1]}</td></tr>`).join('')}</table>`,
      style: '.form td{padding:2px 26px 2px 0}',
    }
  return {
    html: `<div class="cols">${items.map((i) => `<div class="f"><small>${row(i)[0]}</small><br>${row(i)[1]}</div>`).join('')}</div>`,
    style:
      '.cols{display:grid;grid-template-columns:1fr 1fr 1fr;gap:9px 16px}.f{border-bottom:1px solid #bbb}small{color:#555;font-size:.75em}',
  }
}
