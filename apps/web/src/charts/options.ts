import { formatFixed, formatNumber, unitBehind } from '@ensaio/domain'
import type { EChartsCoreOption } from 'echarts/core'
import type { Palette } from './palette.ts'

/** One bar, slice or point of a line. */
export type Datum = {
  key: string
  label: string
  value: number
  colour?: string
  /** Said on hover, after the value. */
  detail?: string
}
export type ScatterDatum = { key: string; x: number; y: number; label: string; colour: string }
/** A point as drawn; the last is its place in the data. */
export type ScatterValue = [x: number, y: number, index: number]
export type Axis = { name: string; unit: string; decimals: number }

export type Draw = (
  data: readonly Datum[],
  axis: Axis,
  palette: Palette,
  selected: string | null,
) => EChartsCoreOption

/** Of one bar with its gap, in pixels. */
export const BAR_HEIGHT = 38

const FONT = '"Inter Variable", system-ui, sans-serif'

export const withUnit = (value: number, { unit, decimals }: Axis) =>
  `${formatFixed(value, decimals)}${unitBehind(unit)}`

function base(palette: Palette): EChartsCoreOption {
  return {
    // A filter's answer is there at once, and charts that move together are one long task.
    animation: false,
    textStyle: { fontFamily: FONT, color: palette.text, fontSize: 13 },
    tooltip: {
      confine: true,
      backgroundColor: palette.surface,
      borderColor: palette.line,
      textStyle: { color: palette.text, fontSize: 13, fontFamily: FONT },
    },
  }
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const tip = (datum: Datum, axis: Axis) =>
  [`<b>${escapeHtml(datum.label)}</b>`, withUnit(datum.value, axis), datum.detail && escapeHtml(datum.detail)]
    .filter(Boolean)
    .join('<br>')

/** What is not chosen steps back. */
export const faded = (datum: Datum, selected: string | null) =>
  selected !== null && selected !== datum.key ? 0.35 : 1

/** Horizontal bars, the longest on top, the value at the end of each. */
export function bars(
  data: readonly Datum[],
  axis: Axis,
  palette: Palette,
  selected: string | null,
): EChartsCoreOption {
  const rows = [...data].reverse()
  return {
    ...base(palette),
    tooltip: {
      ...(base(palette)['tooltip'] as object),
      trigger: 'item',
      formatter: ({ dataIndex }: { dataIndex: number }) => tip(rows[dataIndex] as Datum, axis),
    },
    grid: { left: 8, right: 72, top: 4, bottom: 4, containLabel: true },
    xAxis: { type: 'value', min: 0, show: false },
    yAxis: {
      type: 'category',
      data: rows.map((row) => row.label),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: palette.text, fontSize: 13, width: 130, overflow: 'truncate' },
    },
    series: [
      {
        type: 'bar',
        barMaxWidth: 22,
        barCategoryGap: '35%',
        data: rows.map((row) => ({
          value: row.value,
          itemStyle: {
            color: row.colour ?? palette.accent,
            opacity: faded(row, selected),
            borderRadius: [0, 4, 4, 0],
          },
        })),
        label: {
          show: true,
          position: 'right',
          color: palette.muted,
          fontSize: 13,
          formatter: ({ value }: { value: number }) => formatFixed(value, axis.decimals),
        },
      },
    ],
  }
}

const MAX_SLICES = 6

/** Parts of a whole, labelled directly; past six, the smallest are joined as 'Outras'. */
export function pie(
  data: readonly Datum[],
  axis: Axis,
  palette: Palette,
  selected: string | null,
): EChartsCoreOption {
  const sorted = [...data].sort((a, b) => b.value - a.value)
  const rest = sorted.slice(MAX_SLICES - 1)
  const slices =
    sorted.length <= MAX_SLICES
      ? sorted
      : [
          ...sorted.slice(0, MAX_SLICES - 1),
          {
            key: '',
            label: 'Outras',
            value: rest.reduce((sum, { value }) => sum + value, 0),
            colour: palette.faint,
          },
        ]
  // A ring in one piece has its label inside.
  const alone = slices.length === 1
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  const share = (value: number) => `${formatNumber((100 * value) / total, 1)}%`
  const whole = {
    ...base(palette),
    tooltip: {
      ...(base(palette)['tooltip'] as object),
      trigger: 'item',
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const slice = slices[dataIndex] as Datum
        return `${tip(slice, axis)} · ${share(slice.value)}`
      },
    },
    series: [
      {
        type: 'pie',
        radius: alone ? ['44%', '58%'] : ['36%', '58%'],
        minShowLabelAngle: 4,
        avoidLabelOverlap: true,
        itemStyle: { borderColor: palette.surface, borderWidth: 2 },
        data: slices.map((slice) => ({
          name: slice.label,
          value: slice.value,
          itemStyle: { color: slice.colour ?? palette.accent, opacity: faded(slice, selected) },
        })),
        label: {
          color: palette.text,
          fontSize: 13,
          lineHeight: 17,
          position: alone ? 'center' : 'outside',
          edgeDistance: 4,
          bleedMargin: 0,
          overflow: 'none',
          formatter: ({ name, value }: { name: string; value: number }) => `${name}\n${share(value)}`,
        },
        labelLine: { length: 14, length2: 10, lineStyle: { color: palette.faint } },
      },
    ],
  }
  if (alone) return whole
  // On a phone the ring gives way to its labels.
  const narrow = {
    series: [
      {
        radius: ['22%', '38%'],
        label: { width: 92, overflow: 'break' },
        labelLine: { length: 8, length2: 6 },
      },
    ],
  }
  return { baseOption: whole, media: [{ query: { maxWidth: 400 }, option: narrow }] }
}

/** A line over ordered categories, with its points. */
export const line: Draw = (...of) => overOrder('line', ...of)
/** Upright bars over ordered categories. */
export const columns: Draw = (...of) => overOrder('bar', ...of)

function overOrder(
  type: 'line' | 'bar',
  data: readonly Datum[],
  axis: Axis,
  palette: Palette,
  selected: string | null,
): EChartsCoreOption {
  return {
    ...base(palette),
    tooltip: {
      ...(base(palette)['tooltip'] as object),
      trigger: 'item',
      formatter: ({ dataIndex }: { dataIndex: number }) => tip(data[dataIndex] as Datum, axis),
    },
    grid: { left: 8, right: 24, top: 24, bottom: 4, containLabel: true },
    xAxis: {
      type: 'category',
      data: data.map((point) => point.label),
      boundaryGap: type === 'bar' || data.length < 3,
      axisLine: { lineStyle: { color: palette.line } },
      axisTick: { show: false },
      axisLabel: { color: palette.muted, fontSize: 13, margin: 12 },
    },
    yAxis: {
      type: 'value',
      splitNumber: 4,
      ...ticks(axis.decimals),
      axisLabel: {
        color: palette.muted,
        fontSize: 13,
        formatter: (value: number) => formatNumber(value, axis.decimals),
      },
      splitLine: { lineStyle: { color: palette.line } },
    },
    series: [
      {
        type,
        symbolSize: 9,
        barMaxWidth: 56,
        symbol: 'circle',
        lineStyle: { width: 2, color: palette.accent },
        data: data.map((point) => ({
          value: point.value,
          itemStyle: { color: palette.accent, opacity: faded(point, selected) },
        })),
      },
    ],
  }
}

/** Points of two quantities; `trend` adds the least-squares line through them. */
export function scatter(
  data: readonly ScatterDatum[],
  x: Axis,
  y: Axis,
  palette: Palette,
  { trend = false } = {},
): EChartsCoreOption {
  const axis = ({ name, unit, decimals }: Axis, gap: number) => ({
    type: 'value',
    scale: true,
    name: unit ? `${name} (${unit})` : name,
    nameLocation: 'middle',
    nameGap: gap,
    nameTextStyle: { color: palette.muted, fontSize: 13 },
    splitNumber: 5,
    ...ticks(decimals),
    axisLine: { lineStyle: { color: palette.line } },
    axisLabel: {
      color: palette.muted,
      fontSize: 13,
      formatter: (value: number) => formatYear(name, value, decimals),
    },
    splitLine: { lineStyle: { color: palette.line } },
  })
  const whole = {
    ...base(palette),
    tooltip: {
      ...(base(palette)['tooltip'] as object),
      trigger: 'item',
      formatter: ({ value: [, , index] }: { value: ScatterValue }) => {
        const point = data[index] as ScatterDatum
        return `<b>${escapeHtml(point.label)}</b><br>${escapeHtml(x.name)}: ${withUnit(point.x, x)}<br>${escapeHtml(y.name)}: ${withUnit(point.y, y)}`
      },
    },
    grid: { left: 40, right: 20, top: 16, bottom: 40, containLabel: true },
    xAxis: axis(x, 32),
    yAxis: axis(y, 56),
    // A series for each colour, each drawn in one path: points of their own take many times as long.
    series: [
      ...[...Map.groupBy(data.keys(), (index) => data[index]?.colour)].map(([colour, indexes]) => ({
        type: 'scatter',
        symbolSize: data.length > 400 ? 6 : 9,
        large: true,
        largeThreshold: 0,
        itemStyle: { color: colour, opacity: 0.7 },
        data: indexes.map((index): ScatterValue => [data[index]?.x ?? 0, data[index]?.y ?? 0, index]),
      })),
      ...(trend ? trendLine(data, palette) : []),
    ],
  }
  // On a phone the name of the upright axis stands above it.
  const narrow = {
    grid: { left: 4, top: 36 },
    yAxis: { nameLocation: 'end', nameGap: 14, nameTextStyle: { align: 'left', padding: [0, 0, 0, -48] } },
  }
  return { baseOption: whole, media: [{ query: { maxWidth: 400 }, option: narrow }] }
}

/** Where no decimals are shown, no two marks of an axis read the same. */
const ticks = (decimals: number) => ({ minInterval: 10 ** -decimals })

function trendLine(data: readonly ScatterDatum[], palette: Palette) {
  const n = data.length
  const meanX = data.reduce((sum, { x }) => sum + x, 0) / n
  const meanY = data.reduce((sum, { y }) => sum + y, 0) / n
  const spread = data.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  if (n < 3 || spread === 0) return []
  const slope = data.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  const xs = data.map(({ x }) => x)
  return [
    {
      type: 'line',
      silent: true,
      symbol: 'none',
      lineStyle: { color: palette.text, width: 2, type: 'dashed', opacity: 0.8 },
      data: [Math.min(...xs), Math.max(...xs)].map((x) => [x, meanY + slope * (x - meanX)]),
    },
  ]
}

/** A year is a name, not a quantity: never grouped. */
const formatYear = (name: string, value: number, decimals: number) =>
  name === 'Ano' ? String(value) : formatNumber(value, decimals)
