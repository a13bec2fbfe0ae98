import {
  analysisTitle,
  counted,
  formatPercent,
  type Import,
  type ImportColumn,
  type ImportForm,
  type ImportMapping,
  importFieldChoices,
  importFieldLabel,
  SURE_COLUMN,
} from '@ensaio/domain'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, controlClasses, Input, Select } from '../../ui/Input.tsx'
import { Badge, Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { FirstTrial } from './FirstTrial.tsx'
import { MissingFields } from './MissingFields.tsx'
import { SaveTemplate } from './SaveTemplate.tsx'
import { mapImport, useChange } from './use-import.ts'

const FORMS: { value: ImportForm; label: string }[] = [
  { value: 'longa', label: 'Uma linha por tratamento' },
  { value: 'larga', label: 'Uma linha por ensaio' },
  { value: 'folhas', label: 'Folhas ligadas pelo código' },
  { value: 'parcelas', label: 'Uma linha por parcela' },
]
const ENCODINGS = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows (ANSI)' },
  { value: 'utf-16le', label: 'UTF-16' },
]
const SEPARATORS = [
  { value: ';', label: 'Ponto e vírgula' },
  { value: ',', label: 'Vírgula' },
  { value: '\t', label: 'Tabulação' },
  { value: '|', label: 'Barra vertical' },
]

/** What each of their columns is; what is not imported is listed, too. */
export function ColumnsStep({ importacao, onDone }: { importacao: Import; onDone: () => void }) {
  const { busy, failure, run } = useChange()
  const [saving, setSaving] = useState(false)
  const change = (body: ImportMapping) => void run(() => mapImport(importacao.id, body))
  const { mapa, faltam } = importacao
  const doubtful = mapa.filter(({ campo, confianca }) => campo !== null && confianca < SURE_COLUMN).length
  const left = mapa.filter(({ campo }) => campo === null).length
  const goOn = () =>
    run(async () => {
      const now = await mapImport(importacao.id, {})
      if (now.estado === 'conferir' || now.estado === 'lendo') onDone()
    })

  return (
    <div className="flex flex-col gap-6">
      {failure && <Banner tone="danger">{failure}</Banner>}
      {importacao.modelo && <Banner tone="info" title={`Usando o modelo “${importacao.modelo.nome}”.`} />}
      {importacao.notas.map((nota) => (
        <Banner
          key={nota}
          tone="info"
          title={nota}
          action={
            /(?:linhas?|colunas?) ocultas? fo(?:i|ram)/.test(nota) ? (
              <Button
                size="small"
                disabled={busy}
                onClick={() => change({ ignorar_ocultas: !importacao.ignorar_ocultas })}
              >
                {importacao.ignorar_ocultas ? 'Incluir' : 'Ignorar'}
              </Button>
            ) : undefined
          }
        />
      ))}
      <Card>
        <CardHeader title="Como a planilha está organizada" />
        <div className="grid gap-4 px-5 pb-5 sm:grid-cols-2 lg:grid-cols-4">
          <Field label="Forma">
            {(control) => (
              <Select
                {...control}
                value={importacao.forma ?? 'longa'}
                options={FORMS}
                disabled={busy}
                onChange={(event) => change({ forma: event.target.value as ImportForm })}
              />
            )}
          </Field>
          {importacao.folhas.length > 1 && importacao.forma !== 'folhas' && (
            <Field label="Folha">
              {(control) => (
                <Select
                  {...control}
                  value={importacao.folha ?? ''}
                  options={importacao.folhas.map(({ nome, oculta }) => ({
                    value: nome,
                    label: oculta ? `${nome} (oculta)` : nome,
                  }))}
                  disabled={busy}
                  onChange={(event) => change({ folha: event.target.value })}
                />
              )}
            </Field>
          )}
          {importacao.forma !== 'folhas' && (
            <Field label="Os títulos estão na linha">
              {(control) => (
                <>
                  <Input
                    {...control}
                    key={importacao.linha_titulos}
                    inputMode="numeric"
                    defaultValue={importacao.linha_titulos || ''}
                    placeholder="nenhuma"
                    disabled={busy}
                    onBlur={(event) => {
                      const row = Number(event.target.value)
                      if (Number.isInteger(row) && row >= 1 && row !== importacao.linha_titulos)
                        change({ linha_titulos: row })
                    }}
                  />
                  <Checkbox
                    label="A planilha não tem títulos"
                    checked={importacao.linha_titulos === 0}
                    disabled={busy}
                    onChange={(event) => change({ linha_titulos: event.target.checked ? 0 : 1 })}
                  />
                </>
              )}
            </Field>
          )}
          {importacao.formato === 'csv' && (
            <>
              <Field
                label="Os acentos estão certos?"
                help={mapa
                  .flatMap(({ titulo, exemplos }) => [titulo, ...exemplos])
                  .find((text) => /[^\u0020-\u007e]/.test(text))}
              >
                {(control) => (
                  <Select
                    {...control}
                    value={importacao.codificacao ?? 'utf-8'}
                    options={ENCODINGS}
                    disabled={busy}
                    onChange={(event) => change({ codificacao: event.target.value as 'utf-8' })}
                  />
                )}
              </Field>
              <Field label="Separador">
                {(control) => (
                  <Select
                    {...control}
                    value={importacao.separador ?? ';'}
                    options={SEPARATORS}
                    disabled={busy}
                    onChange={(event) => change({ separador: event.target.value as ';' })}
                  />
                )}
              </Field>
            </>
          )}
        </div>
      </Card>
      {importacao.primeiro && <FirstTrial trial={importacao.primeiro} />}
      {faltam.length > 0 && <MissingFields importacao={importacao} busy={busy} onChange={change} />}
      <Card>
        <CardHeader
          title="O que é cada coluna"
          subtitle={[
            counted(mapa.length, 'coluna', 'colunas'),
            ...(doubtful > 0 ? [`${counted(doubtful, 'coluna', 'colunas')} para conferir`] : []),
            ...(left > 0 ? [`${counted(left, 'não será importada', 'não serão importadas')}`] : []),
          ].join(' · ')}
          actions={
            <Button size="small" onClick={() => setSaving(true)}>
              Salvar como modelo de planilha
            </Button>
          }
        />
        <Table label="O que é cada coluna da planilha">
          <thead>
            <tr>
              <Head>Coluna</Head>
              <Head className="max-sm:hidden">Exemplos</Head>
              <Head>O que é</Head>
              <Head className="max-sm:hidden">Certeza</Head>
            </tr>
          </thead>
          <tbody>
            {mapa.map((column) => (
              <ColumnRow
                key={column.coluna}
                column={column}
                importacao={importacao}
                busy={busy}
                onChange={change}
              />
            ))}
          </tbody>
        </Table>
      </Card>
      <div className="flex flex-wrap items-center gap-4">
        <Button
          variant="primary"
          size="large"
          busy={busy}
          disabled={faltam.length > 0}
          icon={<ArrowRight aria-hidden className="size-4" />}
          onClick={() => void goOn()}
        >
          Conferir os ensaios
        </Button>
        <Checkbox
          label="Apagar valores com células vazias"
          checked={importacao.vazias_apagam}
          disabled={busy}
          onChange={(event) => change({ vazias_apagam: event.target.checked })}
        />
        {faltam.length > 0 && <p className="text-small text-muted">Faltam campos obrigatórios.</p>}
      </div>
      {saving && <SaveTemplate importacao={importacao} onClose={() => setSaving(false)} />}
    </div>
  )
}

type Change = (body: ImportMapping) => void

function ColumnRow({
  column,
  importacao,
  busy,
  onChange,
}: {
  column: ImportColumn
  importacao: Import
  busy: boolean
  onChange: Change
}) {
  const { coluna, titulo, campo, confianca, conversao, unidade, decimal, lido, exemplos } = column
  const treatments = Math.max(
    0,
    ...importacao.mapa.map((one) => Number(/^tratamentos\.(\d+)\./.exec(one.campo ?? '')?.[1] ?? 0)),
  )
  const forma = importacao.forma ?? 'longa'
  const { nome, tratamento } = analysisTitle(titulo)
  const isOpen = campo === null || campo.includes('analise.')
  const groups = importFieldChoices(forma, treatments, isOpen && titulo !== '' ? nome : undefined)
  const analysis =
    titulo === '' || (forma === 'larga' && tratamento === null)
      ? null
      : forma === 'larga'
        ? `tratamentos.${tratamento}.analise.${nome}`
        : `analise.${titulo.replace(/\s*\([^()]*\)\s*$/, '').slice(0, 100)}`
  const known = groups.some(({ fields }) => fields.some(({ value }) => value === campo))
  const sureness =
    campo === null ? (
      '–'
    ) : confianca < SURE_COLUMN ? (
      <Badge tone="warn">Confira</Badge>
    ) : (
      <span className="figures text-small text-muted">{formatPercent(confianca * 100, 0)}</span>
    )
  return (
    <Row className={campo === null ? 'text-muted' : ''}>
      <Cell className="align-top">
        <span className="figures mr-2 text-small text-faint">{coluna}</span>
        <span className="font-medium">{titulo || 'sem título'}</span>
        <span className="figures mt-0.5 line-clamp-1 text-small text-muted sm:hidden">
          {exemplos.join(' · ')}
        </span>
        <span className="mt-1 block sm:hidden">{sureness}</span>
      </Cell>
      <Cell className="max-w-64 align-top max-sm:hidden">
        <span className="figures line-clamp-2 text-small">{exemplos.join(' · ') || '–'}</span>
        {lido.map(({ texto, valor }) => (
          <span key={texto} className="figures block text-small text-muted">
            {texto} = {valor}
          </span>
        ))}
      </Cell>
      <Cell className="w-1/2 align-top sm:w-auto sm:min-w-60">
        <select
          aria-label={`O que é a coluna ${coluna}, ${titulo}`}
          value={campo ?? ''}
          disabled={busy}
          className={classes(controlClasses, 'appearance-none bg-no-repeat pr-9 select-arrow')}
          onChange={(event) => onChange({ mapa: { [coluna]: event.target.value || null } })}
        >
          <option value="">Não importar</option>
          {campo !== null && !known && <option value={campo}>{importFieldLabel(campo)}</option>}
          {groups.map(({ label, fields }) => (
            <optgroup key={label} label={label}>
              {fields.map((field) => (
                <option key={field.value} value={field.value}>
                  {field.label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        {campo === null && (
          <span className="mt-1 flex flex-wrap items-center gap-2 text-small">
            Esta coluna não será importada
            {analysis !== null && (
              <button
                type="button"
                className="text-accent hover:underline"
                disabled={busy}
                onClick={() => onChange({ mapa: { [coluna]: analysis } })}
              >
                Usar como análise
              </button>
            )}
          </span>
        )}
        {conversao && <span className="mt-1 block text-small text-muted">{conversao}</span>}
        {campo === 'ano' && exemplos.some((text) => /\d\s*[/-]\s*\d/.test(text)) && (
          <Select
            aria-label="Ano da safra"
            className="mt-1"
            value={importacao.safra}
            disabled={busy}
            options={[
              { value: 'colheita', label: 'O ano da colheita' },
              { value: 'plantio', label: 'O ano do plantio' },
            ]}
            onChange={(event) => onChange({ safra: event.target.value as 'colheita' })}
          />
        )}
        {decimal !== null && campo !== null && exemplos.some((text) => /[.,]/.test(text)) && (
          <Select
            aria-label={`Sinal decimal da coluna ${coluna}`}
            className="mt-1"
            value={decimal}
            disabled={busy}
            options={[
              { value: ',', label: 'Vírgula decimal: 1,5' },
              { value: '.', label: 'Ponto decimal: 1.5' },
            ]}
            onChange={(event) => onChange({ decimal: { [coluna]: event.target.value as ',' } })}
          />
        )}
        {unidade && !conversao && campo !== null && (
          <span className="mt-1 block text-small text-muted">Unidade: {unidade}</span>
        )}
      </Cell>
      <Cell className="align-top max-sm:hidden">{sureness}</Cell>
    </Row>
  )
}
