import { Download, FileSpreadsheet, Printer, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/Menu.tsx'
import { Badge, Banner } from '../../ui/Surface.tsx'
import type { EditDecision } from './sheet-state.ts'
import type { useSheet } from './use-sheet.ts'

export function Notices({
  sheet,
  edit,
  problems,
}: {
  sheet: ReturnType<typeof useSheet>
  edit: EditDecision
  problems: readonly string[]
}) {
  return (
    <>
      {problems.length > 0 && (
        <Banner tone="danger" title="As parcelas não foram salvas">
          <ul>
            {problems.slice(0, 20).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Banner>
      )}
      {!edit.allowed && <Banner tone="info">{edit.reason}.</Banner>}
      {sheet.resumed && sheet.dirty && (
        <Banner
          tone="info"
          action={
            <Button size="small" onClick={sheet.discard}>
              Descartar
            </Button>
          }
        >
          Rascunho recuperado neste navegador; ainda não foi salvo.
        </Banner>
      )}
      {sheet.outdated && (
        <Banner
          tone="warn"
          action={
            <Button size="small" onClick={sheet.discard}>
              Descartar rascunho
            </Button>
          }
        >
          Outra pessoa salvou as parcelas depois que este rascunho começou. Ao salvar, os valores são juntados
          um a um.
        </Banner>
      )}
      {!sheet.outlasts && (
        <Banner tone="warn">Este navegador não guarda rascunhos: salve antes de sair.</Banner>
      )}
    </>
  )
}

export function FileMenu({
  onFile,
  onPrint,
  onImport,
  onRemove,
}: {
  onFile: (query: Record<string, string>, name: string) => void
  onPrint: () => void
  onImport: (() => void) | null
  onRemove: (() => void) | null
}) {
  const item = (label: ReactNode, query: Record<string, string>, name: string) => (
    <MenuItem icon={<Download aria-hidden />} onSelect={() => onFile(query, name)}>
      {label}
    </MenuItem>
  )
  return (
    <Menu
      label="Planilhas"
      trigger={<Button icon={<FileSpreadsheet aria-hidden className="size-4" />}>Planilhas</Button>}
    >
      {onImport && (
        <MenuItem icon={<FileSpreadsheet aria-hidden />} onSelect={onImport}>
          Importar planilha
        </MenuItem>
      )}
      <MenuLabel>
        <Badge>Baixar</Badge>
      </MenuLabel>
      {item('Valores (XLSX)', { formato: 'xlsx', tipo: 'dados' }, 'parcelas.xlsx')}
      {item('Valores (CSV)', { formato: 'csv', tipo: 'dados' }, 'parcelas.csv')}
      {item(
        'Ficha de campo (XLSX)',
        { formato: 'xlsx', tipo: 'ficha_de_campo', serpentina: '1' },
        'ficha-de-campo.xlsx',
      )}
      {item(
        'Ficha de campo às cegas (XLSX)',
        { formato: 'xlsx', tipo: 'ficha_de_campo', serpentina: '1', as_cegas: '1' },
        'ficha-de-campo-as-cegas.xlsx',
      )}
      <MenuItem icon={<Printer aria-hidden />} onSelect={onPrint}>
        Imprimir ficha de campo
      </MenuItem>
      {onRemove && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 aria-hidden />} onSelect={onRemove}>
            Excluir parcelas
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
