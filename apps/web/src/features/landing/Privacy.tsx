import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import { useSession } from '../../shell/session.tsx'
import { useTitle } from '../../shell/title.ts'
import { Clause, LegalPage } from './LegalPage.tsx'

type Roles = { several: boolean; operator: string | null }

export function Privacy() {
  useTitle('Política de privacidade')
  const [secondOpinion, setSecondOpinion] = useState(false)
  const [roles, setRoles] = useState<Roles | null>(null)
  const session = useSession()
  const signedIn = session.status === 'in'
  useEffect(() => {
    call('settings', {}).then(
      (settings) => {
        setSecondOpinion(settings.secondOpinion)
        setRoles({ several: settings.organizacoes === 'varias', operator: settings.operador })
      },
      // Without an answer nothing can be read or sent either.
      () => undefined,
    )
  }, [])
  const [organizations, setOrganizations] = useState<readonly string[]>([])
  useEffect(() => {
    if (!signedIn) return
    call('listOrganizations', {}).then(
      ({ organizacoes }) => setOrganizations(organizacoes.map(({ nome }) => nome)),
      () => undefined,
    )
  }, [signedIn])
  return (
    <LegalPage title="Política de privacidade" updated="24 de agosto de 2025">
      <Clause title="O que guardamos">
        <ul>
          <li>Da sua conta: nome, email, empresa (se você informar), papel e data de criação.</li>
          <li>A sua senha, somente como um resumo criptográfico do qual ela não pode ser lida.</li>
          <li>
            Das sessões: quando começaram, o endereço IP e o navegador, para que você possa reconhecê-las e
            encerrá-las.
          </li>
          <li>Os experimentos e os documentos que você registra, e quem mudou o quê.</li>
        </ul>
      </Clause>
      <Clause title="Quem responde por eles">
        <p>
          Os dados pessoais que estão nos experimentos, comentários e documentos são da organização que os
          registra
          {organizations.length > 0 && <> (as suas: {organizations.join(', ')})</>}: ela é a controladora.
          Quem opera esta instalação{roles?.operator && <>, {roles.operator},</>} os trata em nome dela, como
          operador.
          {roles?.several &&
            ' Cada organização vê somente o que é seu e o que outra lhe mostra; o administrador da instalação não lê experimentos.'}
        </p>
      </Clause>
      <Clause title="Para quê">
        <p>
          Para que você entre na sua conta, para mostrar de onde vem cada número e para proteger o serviço
          contra abuso. A base legal é a execução do serviço que você pediu e o legítimo interesse na
          segurança dele (Lei 13.709/2018, LGPD).
        </p>
      </Clause>
      <Clause title="Por quanto tempo">
        <ul>
          <li>A conta, enquanto ela existir; os experimentos, enquanto existir a organização deles.</li>
          <li>O que era de uma organização fechada, por 30 dias; depois é destruído.</li>
          <li>Experimentos excluídos, por 30 dias, para que possam ser restaurados.</li>
          <li>Sessões, por até 30 dias; registros de segurança, por até 12 meses.</li>
        </ul>
      </Clause>
      <Clause title="Com quem compartilhamos">
        <p>
          Uma organização pode mostrar experimentos seus a outra, com ou sem custos, ou por um link público
          com data para acabar; ninguém mais os vê. Os dados ficam no servidor desta instalação. A leitura de
          relatórios acontece nele
          {secondOpinion ? '.' : ', sem enviar o arquivo a terceiros.'} O fundo do mapa vem de um servidor
          público de mapas, que recebe o endereço IP do seu navegador e a região do mapa que está na tela.
        </p>
        {secondOpinion && (
          <p>
            Quando a leitura de um relatório deixa dúvida sobre algum campo, o texto do relatório é enviado a
            um modelo de linguagem, no endereço que o administrador desta instalação configurou, que sugere os
            campos duvidosos. O arquivo PDF e os dados da sua conta não são enviados.
          </p>
        )}
      </Clause>
      <Clause title="No seu navegador">
        <p>
          Guardamos a sessão, o tema escolhido, o rascunho do experimento que você está preenchendo e avisos
          que você dispensou. Não há cookies de publicidade nem de medição.
        </p>
      </Clause>
      <Clause title="Os seus direitos">
        <p>
          No perfil você vê e corrige os seus dados, baixa uma cópia de tudo o que guardamos sobre você e
          apaga a sua conta. Ao apagar, o nome, o email, as sessões e os fatores somem na hora; os
          experimentos são da organização e ficam, sem autor; os de um espaço só seu você transfere ou exclui.
        </p>
      </Clause>
      <Clause title="A quem perguntar">
        <p>Fale com o administrador da instalação que você usa; ele responde como encarregado pelos dados.</p>
      </Clause>
    </LegalPage>
  )
}
