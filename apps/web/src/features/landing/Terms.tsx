import { useTitle } from '../../shell/title.ts'
import { Clause, LegalPage } from './LegalPage.tsx'

export function Terms() {
  useTitle('Termos de uso')
  return (
    <LegalPage title="Termos de uso" updated="24 de agosto de 2025">
      <Clause title="1. O serviço">
        <p>
          O Ensaio registra experimentos agrícolas de campo, lê relatórios em PDF e apresenta os resultados em
          gráficos, mapas e tabelas. Os números mostrados são calculados a partir do que as pessoas
          registraram.
        </p>
      </Clause>
      <Clause title="2. A sua conta">
        <p>
          Você é responsável por manter a sua senha em segredo e pelas ações feitas com a sua conta. Use um
          email seu: é por ele que a conta é recuperada.
        </p>
        <p>
          Toda conta começa com o papel de Usuário Padrão. Outros papéis são concedidos por um administrador
          da instalação.
        </p>
      </Clause>
      <Clause title="3. Os seus dados de ensaio">
        <p>
          Os experimentos e documentos que você envia continuam seus ou da sua empresa. As pessoas com conta
          na mesma instalação podem ler todos os experimentos; só quem criou um experimento e os
          administradores podem alterá-lo ou excluí-lo.
        </p>
        <p>Envie somente relatórios que você tem o direito de compartilhar.</p>
      </Clause>
      <Clause title="4. A leitura automática">
        <p>
          A leitura de relatórios indica, para cada valor, a confiança e o lugar de onde ele saiu. Ela pode
          errar: confira antes de confirmar. Nada é salvo sem a sua confirmação.
        </p>
      </Clause>
      <Clause title="5. Uso aceitável">
        <ul>
          <li>Não tente acessar contas ou dados de outras pessoas.</li>
          <li>Não sobrecarregue o serviço de propósito.</li>
          <li>Não envie arquivos maliciosos.</li>
        </ul>
      </Clause>
      <Clause title="6. Responsabilidade">
        <p>
          Resultados de ensaios dependem de clima, solo e manejo. O Ensaio organiza informação e não substitui
          a recomendação de um profissional habilitado.
        </p>
      </Clause>
      <Clause title="7. Encerramento">
        <p>
          Você pode encerrar a sua conta quando quiser. Contas usadas contra estes termos podem ser bloqueadas
          por um administrador.
        </p>
      </Clause>
    </LegalPage>
  )
}
