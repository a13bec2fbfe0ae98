import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { PdfDropZone } from '../../shell/PdfDropZone.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, NumberInput, PasswordInput, SearchInput, Select } from '../../ui/Input.tsx'
import { Badge, Banner, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/toast.tsx'

const CITIES = ['Campo Verde', 'Ijuí', 'Toledo', 'Sorriso']

/** Every base control in its states; in development only. */
export function Gallery() {
  const [text, setText] = useState('')
  const [number, setNumber] = useState<number | null | undefined>(3250.5)
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null)
  const [tab, setTab] = useState<'a' | 'b'>('a')
  return (
    <main id="conteudo" className="page flex flex-col gap-6 py-8">
      <h1 className="text-display font-semibold">Galeria</h1>
      <Card>
        <CardHeader title="Botões" />
        <div className="flex flex-wrap gap-3 px-5 pb-5">
          {(['primary', 'secondary', 'quiet', 'danger'] as const).map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
          <Button busy>Salvando...</Button>
          <Button disabled>Indisponível</Button>
          <Button size="small" icon={<Plus aria-hidden className="size-4" />}>
            Pequeno
          </Button>
          <Button size="large" variant="primary">
            Grande
          </Button>
          <IconButton label="Excluir" tone="danger">
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      </Card>
      <Card>
        <CardHeader title="Campos" />
        <div className="grid gap-5 px-5 pb-5 sm:grid-cols-2 lg:grid-cols-3">
          <Field label="Texto" help="Ajuda abaixo.">
            {(control) => (
              <Input {...control} value={text} onChange={(event) => setText(event.target.value)} />
            )}
          </Field>
          <Field label="Com erro" required error="Este campo é obrigatório">
            {(control) => <Input {...control} />}
          </Field>
          <Field label="Número">
            {(control) => <NumberInput {...control} unit="kg/ha" value={number} onValue={setNumber} />}
          </Field>
          <Field label="Lista">
            {(control) => <Select {...control} options={CITIES} placeholder="Selecione" />}
          </Field>
          <Field label="Texto com sugestões">
            {(control) => (
              <Combobox
                {...control}
                value={text}
                onText={setText}
                onChoose={setText}
                options={CITIES.map((value) => ({ value, item: value }))}
              />
            )}
          </Field>
          <Field label="Senha">{(control) => <PasswordInput {...control} />}</Field>
          <Field label="Somente leitura">
            {(control) => <Input {...control} readOnly value="Testemunha" />}
          </Field>
          <SearchInput label="Busca" value={text} onValue={setText} placeholder="Buscar" />
          <Checkbox label="Aceito os termos" />
        </div>
        <div className="px-5 pb-5">
          <PdfDropZone onFiles={() => toast.success('Arquivo recebido')} />
        </div>
      </Card>
      <Card>
        <CardHeader title="Avisos e estados" />
        <div className="flex flex-col gap-3 px-5 pb-5">
          {(['info', 'ok', 'warn', 'danger'] as const).map((tone) => (
            <Banner key={tone} tone={tone} title={tone}>
              Uma frase que diz o que aconteceu.
            </Banner>
          ))}
          <div className="flex flex-wrap gap-2">
            {(['plain', 'accent', 'ok', 'warn', 'danger'] as const).map((tone) => (
              <Badge key={tone} tone={tone}>
                {tone}
              </Badge>
            ))}
            <Badge dot="#2563EB">Aminoagro</Badge>
          </div>
          <Skeleton className="h-16" />
          <EmptyState title="Nada aqui ainda">Diz o que fazer em seguida.</EmptyState>
          <ErrorState message="Não foi possível carregar." onRetry={() => undefined} />
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => toast.success('Experimento criado com sucesso!')}>Aviso bom</Button>
            <Button onClick={() => toast.error('Erro ao excluir experimento')}>Aviso de erro</Button>
            <Button onClick={() => setOpen('dialog')}>Abrir diálogo</Button>
            <Button onClick={() => setOpen('confirm')}>Pedir confirmação</Button>
          </div>
        </div>
      </Card>
      <Card>
        <CardHeader title="Tabela e abas" />
        <Tabs
          label="Exemplo"
          value={tab}
          onValue={setTab}
          tabs={[
            { value: 'a', label: 'Primeira' },
            { value: 'b', label: 'Segunda' },
          ]}
        >
          <TabPanel value="a">
            <Table label="Cidades">
              <thead>
                <tr>
                  <Head sort={{ direction: 'asc', onSort: () => undefined }}>Cidade</Head>
                  <Head numeric>Experimentos</Head>
                </tr>
              </thead>
              <tbody>
                {CITIES.map((city, index) => (
                  <Row key={city}>
                    <Cell>{city}</Cell>
                    <Cell numeric>{index * 12}</Cell>
                  </Row>
                ))}
              </tbody>
            </Table>
          </TabPanel>
          <TabPanel value="b" className="px-5 py-5">
            Segunda aba
          </TabPanel>
        </Tabs>
      </Card>
      <Dialog open={open === 'dialog'} onClose={() => setOpen(null)} title="Um diálogo">
        <p>O foco fica aqui dentro e volta para onde estava.</p>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onCancel={() => setOpen(null)}
        onConfirm={() => setOpen(null)}
      />
    </main>
  )
}
