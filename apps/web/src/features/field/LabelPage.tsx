import { useEffect, useState } from 'react'
import { askField } from '../../api/field-client.ts'
import { findPlot, labelCode } from '../../field-store/labels.ts'
import { fieldPath, go, trialPath } from './address.tsx'
import { field, useFieldState } from './field.ts'
import { Notice, Page, Touch } from './parts.tsx'
import { QueueLine } from './QueueLine.tsx'
import { SignInForm } from './SignIn.tsx'
import { organizations } from './take-along.ts'
import { placeKey } from './use-place.ts'

/** A scanned label: its plot on this phone, else its trial on the server for who may see it. */
export function LabelPage({ code }: { code: string }) {
  const { packages, signedOut, person } = useFieldState()
  const [found, setFound] = useState<
    | { experimento: string; nome: string; parcela: string; numero: number }
    | 'nothing'
    | 'offline'
    | 'signed-out'
    | null
  >(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: behind a sign-in once more
  useEffect(() => {
    const wanted = labelCode(code)
    const find = async () => {
      const here = findPlot(packages, code, null)
      if (here) {
        const { pacote, pessoa, experimento } = here.package
        const parcela = pacote.parcelas[here.plot]?.id
        await field.put(placeKey({ pessoa, experimento }), { parcela, variavel: null })
        return go(trialPath(experimento, 'coleta'), { replace: true })
      }
      // In the name of each organisation of the person: the label does not say whose it is.
      const answer = await field.ask(async (token) => {
        const names = await organizations(token)
        if (names.kind !== 'ok') return names
        const [first, ...more] = names.body
        const of = (organization: string | undefined) =>
          askField(
            'fieldLabel',
            { params: { codigo: wanted } },
            { token, organization: organization || null },
            () => true,
          )
        let told = await of(first)
        for (const organization of more)
          if (told.kind === 'refused' && told.code === 'label.not_found') told = await of(organization)
        return told
      })
      if (answer.kind === 'ok') setFound(answer.body)
      else if (answer.kind === 'signed-out') setFound('signed-out')
      else setFound(answer.kind === 'none' ? 'offline' : 'nothing')
    }
    void find()
  }, [code, packages, signedOut])
  /** Behind the taking along the plot is there. */
  const toPlot = async ({ experimento, parcela }: { experimento: string; parcela: string }) => {
    if (person)
      await field
        .put(placeKey({ pessoa: person.id, experimento }), { parcela, variavel: null })
        .catch(() => undefined)
    go(trialPath(experimento, 'coleta'))
  }
  return (
    <Page title="Etiqueta" back={{ to: fieldPath, label: 'Campo' }} status={<QueueLine />}>
      {found === null && <p>Procurando a parcela…</p>}
      {found === 'offline' && (
        <Notice tone="warn">
          Esta etiqueta não é de um ensaio deste aparelho. Sem internet, não dá para saber de qual é.
        </Notice>
      )}
      {found === 'signed-out' && (
        <>
          <Notice tone="warn">
            Esta etiqueta não é de um ensaio deste aparelho. Entre de novo para saber de qual é.
          </Notice>
          <SignInForm />
        </>
      )}
      {found === 'nothing' && (
        <Notice tone="warn">
          Esta etiqueta não é de um ensaio deste aparelho, nem de um que você pode ver.
        </Notice>
      )}
      {found !== null && typeof found === 'object' && (
        <>
          <p>{`Esta etiqueta é do ensaio ${found.nome}.`}</p>
          <p className="figures text-small text-muted">
            Parcela {found.numero} · o ensaio ainda não está neste aparelho
          </p>
          <Touch variant="primary" onClick={() => void toPlot(found)}>
            Abrir
          </Touch>
        </>
      )}
    </Page>
  )
}
