import { z } from 'zod'

/**
 * The problem catalogue: code -> status and pt-BR sentence. Codes are stable and travel on the wire; the
 * sentences are the specification's, section 8, where it has one.
 */
export const PROBLEMS = {
  'request.invalid': { status: 400, detail: 'Dados inválidos' },
  'request.bad_json': { status: 400, detail: 'Dados inválidos' },
  'request.too_large': { status: 413, detail: 'O conteúdo enviado é grande demais' },
  'request.headers_too_large': {
    status: 431,
    detail: 'O endereço ou os cabeçalhos do pedido são grandes demais',
  },
  'request.timeout': { status: 408, detail: 'O pedido demorou demais para chegar' },
  'request.unsupported_media': { status: 415, detail: 'Formato não aceito' },
  'request.too_many': { status: 429, detail: 'Muitas tentativas. Aguarde um pouco e tente novamente.' },
  'request.not_found': { status: 404, detail: 'Recurso não encontrado' },
  'request.method': { status: 405, detail: 'Recurso não encontrado' },
  'request.conflict': { status: 409, detail: 'O mesmo pedido ainda está em andamento' },
  'request.key_reused': { status: 422, detail: 'Esta chave já foi usada com outros dados' },
  'validation.failed': { status: 422, detail: 'Dados inválidos' },
  'auth.required': { status: 401, detail: 'Credenciais inválidas' },
  'auth.wrong_login': { status: 401, detail: 'Email ou senha incorretos' },
  'auth.email_not_confirmed': { status: 401, detail: 'Confirme seu email antes de entrar' },
  'auth.blocked': { status: 403, detail: 'Acesso negado' },
  'auth.mfa_required': { status: 403, detail: 'Confirme o segundo fator para continuar' },
  'auth.email_taken': { status: 409, detail: 'Este email já está cadastrado' },
  'auth.weak_password': { status: 422, detail: 'Esta senha é fácil de adivinhar. Escolha outra.' },
  'auth.same_password': { status: 422, detail: 'A nova senha deve ser diferente da atual' },
  'auth.wrong_password': { status: 422, detail: 'A senha atual não confere' },
  'auth.link_invalid': { status: 403, detail: 'O link é inválido ou já expirou. Peça um novo.' },
  'auth.last_admin': { status: 409, detail: 'O último administrador não pode ser removido' },
  'permission.denied': { status: 403, detail: 'Acesso negado' },
  'user.not_found': { status: 404, detail: 'Recurso não encontrado' },
  'organization.not_found': { status: 404, detail: 'Organização não encontrada' },
  'organization.too_many': { status: 422, detail: 'Você já é dono de 20 organizações, o máximo por pessoa.' },
  'organization.closed': { status: 409, detail: 'Esta organização está fechada para alterações' },
  'organization.last_owner': {
    status: 409,
    detail: 'A organização precisa de pelo menos um dono. Escolha outro antes de sair.',
  },
  'organization.keeps_records': {
    status: 409,
    detail: 'O seu espaço tem experimentos. Escolha transferi-los ou excluí-los antes de apagar a conta.',
  },
  'organization.wrong_name': { status: 422, detail: 'O nome não é o da organização' },
  'installation.in_use': {
    status: 409,
    detail: 'Mais de uma organização tem experimentos; não é possível voltar.',
  },
  'member.not_found': { status: 404, detail: 'Membro não encontrado' },
  'report.not_found': { status: 404, detail: 'Este relatório não existe mais, ou ainda não está pronto.' },
  'quality.gone': { status: 409, detail: 'Este apontamento mudou ou não existe mais. Recarregue a página.' },
  'report.none': { status: 422, detail: 'Nenhum ensaio para o relatório. Mude o filtro ou a escolha.' },
  'report.too_many_kept': {
    status: 429,
    detail: 'Você fez relatórios demais nesta semana. Cada um é guardado por 7 dias; tente de novo amanhã.',
  },
  'report.too_many': { status: 429, detail: 'Espere os relatórios que já estão sendo feitos.' },
  'brand.too_large': { status: 413, detail: 'O logotipo passa de 1 MB.' },
  'brand.logo_parts': {
    status: 422,
    detail: 'O SVG tem textos ou cópias (use) que se perderiam. Converta tudo em curvas ou envie em PNG.',
  },
  'brand.invalid_logo': { status: 422, detail: 'Envie o logotipo em PNG, JPEG ou SVG.' },
  'view.not_found': { status: 404, detail: 'Esta vista não existe ou não é sua para ver.' },
  'view.name_taken': { status: 409, detail: 'Já existe uma vista com este nome.' },
  'view.too_many': { status: 422, detail: 'Há vistas demais. Apague alguma antes de salvar outra.' },
  'alert.not_found': { status: 404, detail: 'Este aviso não existe mais.' },
  'alert.too_many': { status: 422, detail: 'Você já tem 20 avisos. Apague algum antes de criar outro.' },
  'invitation.not_found': { status: 404, detail: 'Este convite não existe ou não vale mais.' },
  'invitation.other_address': {
    status: 403,
    detail: 'Este convite foi enviado para outro email. Entre com ele para aceitar.',
  },
  'invitation.too_many': {
    status: 422,
    detail: 'Há convites demais em aberto, ou foram enviados muitos hoje. Encerre alguns ou tente amanhã.',
  },
  'collection.not_found': { status: 404, detail: 'Coleção não encontrada' },
  'collection.too_many': { status: 422, detail: 'Uma organização tem no máximo 200 coleções' },
  'share.not_found': { status: 404, detail: 'Compartilhamento não encontrado' },
  'share.code_unknown': { status: 422, detail: 'Código não encontrado. Confira com quem o enviou.' },
  'share.received': { status: 403, detail: 'Este experimento foi recebido de outra organização' },
  'share.too_many': {
    status: 422,
    detail:
      'Há compartilhamentos demais: até 500 em vigor, e 200 sem resposta por destinatário. Encerre algum ou reúna os experimentos em uma coleção.',
  },
  'link.too_many': {
    status: 422,
    detail: 'Este experimento já tem 100 links. Revogue algum antes de criar outro.',
  },
  'link.not_found': { status: 404, detail: 'Este link não existe ou não vale mais.' },
  'link.password': { status: 401, detail: 'Este link pede uma senha' },
  'comment.not_found': { status: 404, detail: 'Comentário não encontrado' },
  'comment.too_many': {
    status: 422,
    detail: 'A sua organização já fez 500 comentários neste experimento. Exclua algum antes.',
  },
  'transfer.too_many': {
    status: 422,
    detail:
      'Há transferências demais sem resposta: até 200, e 100 por destinatário. Espere a resposta ou cancele alguma.',
  },
  'transfer.not_found': { status: 404, detail: 'Transferência não encontrada' },
  'experiment.not_found': { status: 404, detail: 'Experimento não encontrado' },
  'experiment.stale': {
    status: 409,
    detail: 'Este experimento foi alterado por outra pessoa depois que você o abriu',
  },
  'trial.none': { status: 404, detail: 'Este experimento ainda não tem dados de parcela' },
  'trial.stale': {
    status: 409,
    detail: 'As parcelas foram alteradas por outra pessoa depois que você as abriu',
  },
  'trial.has_values': {
    status: 409,
    detail: 'Já há valores nas parcelas: o croqui não pode ser sorteado de novo',
  },
  'trial.phones_waiting': {
    status: 409,
    detail: 'Há celulares com registros deste ensaio que ainda não foram enviados',
  },
  'trial.treatment_in_use': {
    status: 409,
    detail: 'Este tratamento tem parcelas. Retire-as antes de excluí-lo.',
  },
  'key.not_found': { status: 404, detail: 'Chave não encontrada' },
  'key.too_many': { status: 422, detail: 'Há chaves demais. Revogue alguma antes de criar outra.' },
  'application.refused': { status: 400, detail: 'Este aplicativo não está autorizado.' },
  'application.sign_in': { status: 403, detail: 'Entre de novo para permitir o acesso do aplicativo' },
  'application.not_found': { status: 404, detail: 'Aplicativo não encontrado' },
  'change.settled': { status: 409, detail: 'Este registro já foi resolvido' },
  'device.revoked': { status: 403, detail: 'Este aparelho foi revogado' },
  'device.not_found': { status: 404, detail: 'Aparelho não encontrado' },
  'photo.not_found': { status: 404, detail: 'Foto não encontrada' },
  'photo.invalid': { status: 415, detail: 'Envie JPEG, PNG ou WebP' },
  'photo.too_large': { status: 413, detail: 'A foto passa de 10 MB' },
  'photo.too_many_pixels': { status: 422, detail: 'A foto passa de 25 megapixels' },
  'photo.plot_full': { status: 422, detail: 'Uma parcela guarda no máximo 20 fotos' },
  'photo.taken_back': { status: 422, detail: 'Esta foto foi desfeita' },
  'photo.wrong_part': { status: 422, detail: 'Esta parte não é da foto anunciada' },
  'label.not_found': { status: 404, detail: 'Etiqueta não encontrada' },
  'field_invitation.not_found': {
    status: 404,
    detail: 'Este convite de campo não vale mais. Peça um novo QR code.',
  },
  'field_invitation.too_many': {
    status: 422,
    detail: 'Um ensaio tem no máximo 100 convites de campo que valem. Revogue algum antes.',
  },
  'device.too_many': { status: 422, detail: 'Há aparelhos demais nesta conta' },
  'analysis.unknown_variable': { status: 422, detail: 'Esta variável não existe neste experimento' },
  'analysis.too_few': {
    status: 422,
    detail: 'São necessárias pelo menos duas repetições e dois tratamentos com valores',
  },
  'analysis.no_variation': {
    status: 422,
    detail: 'Todas as parcelas têm o mesmo valor: não há o que comparar',
  },
  'analysis.disconnected': {
    status: 422,
    detail: 'Com as parcelas perdidas, alguns tratamentos não podem ser comparados entre si',
  },
  'analysis.empty_cell': { status: 422, detail: 'Faltam combinações do fatorial' },
  'analysis.layout': { status: 422, detail: 'O croqui não corresponde ao delineamento' },
  'analysis.transform': { status: 422, detail: 'A transformação não se aplica a estes valores' },
  'analysis.strip_lost': {
    status: 422,
    detail: 'Faixas com parcelas perdidas ainda não são analisadas',
  },
  'analysis.no_control': { status: 422, detail: 'Indique qual tratamento é a Testemunha' },
  'analysis.not_found': { status: 404, detail: 'Análise não encontrada' },
  'price.missing': { status: 422, detail: 'Informe o preço de venda, com data e fonte' },
  'price.stale': {
    status: 409,
    detail: 'Os preços foram alterados por outra pessoa depois que você os abriu',
  },
  'costs.hidden': { status: 403, detail: 'Os custos deste experimento estão ocultos' },
  'synthesis.none': { status: 422, detail: 'Nenhum ensaio do filtro compara o produto com a Testemunha' },
  'synthesis.too_many': {
    status: 422,
    detail: 'Mais de 20.000 ensaios fazem esta comparação: estreite os filtros',
  },
  'synthesis.no_joint': {
    status: 422,
    detail: 'São necessários dois ensaios em blocos casualizados com os mesmos tratamentos (três ou mais)',
  },
  'synthesis.not_found': { status: 404, detail: 'Síntese não encontrada' },
  'rebuilt.not_allowed': { status: 422, detail: 'Não é possível reconstruir a análise' },
  'import.unreadable': { status: 422, detail: 'Não foi possível ler a planilha' },
  'import.not_found': { status: 404, detail: 'Importação não encontrada' },
  'import.invalid': { status: 422, detail: 'Este arquivo não é uma planilha que possa ser lida' },
  'import.too_large': { status: 422, detail: 'A planilha é grande demais depois de descompactada' },
  'import.empty': { status: 422, detail: 'A planilha não tem linhas com dados.' },
  'import.encrypted': {
    status: 422,
    detail: 'A planilha está protegida por senha. Remova a senha e tente novamente.',
  },
  'import.old_format': {
    status: 422,
    detail: 'O formato .xls antigo não é aceito. Salve como .xlsx.',
  },
  'import.nothing': { status: 422, detail: 'Não há nada para importar.' },
  'import.too_many': {
    status: 422,
    detail: 'Há importações demais em espera. Grave ou descarte algumas antes.',
  },
  'import.too_many_kept': {
    status: 422,
    detail: 'As suas planilhas já ocupam 4 GB, o máximo por pessoa. Cada uma sai sozinha depois de 60 dias.',
  },
  'import.not_read': { status: 409, detail: 'A planilha ainda está sendo lida' },
  'import.written': { status: 409, detail: 'Esta importação já foi gravada' },
  'import.not_written': { status: 409, detail: 'Esta importação não pode mais ser desfeita' },
  'import.not_undone': { status: 409, detail: 'Esta importação não pode mais ser refeita' },
  'import.template_not_found': { status: 404, detail: 'Modelo de planilha não encontrado' },
  'import.template_taken': { status: 409, detail: 'Já existe um modelo de planilha com este nome' },
  'import.rows': { status: 422, detail: 'Há linhas com problema; nada foi gravado' },
  'export.too_many_rows': {
    status: 422,
    detail: 'Uma planilha XLSX comporta 1.048.575 experimentos. Use os filtros ou exporte em CSV.',
  },
  'document.not_found': { status: 404, detail: 'Nenhum documento encontrado para este experimento.' },
  'document.invalid': { status: 422, detail: 'Documento inválido' },
  'document.too_large': { status: 413, detail: 'O arquivo passa de 10 MB' },
  'document.empty': { status: 422, detail: 'O arquivo está vazio' },
  'document.missing': { status: 422, detail: 'Nenhum arquivo PDF foi enviado' },
  'document.one_at_a_time': { status: 422, detail: 'Envie um arquivo por vez.' },
  'document.wrong_field': { status: 422, detail: 'Envie o arquivo PDF no campo “pdf”' },
  'document.too_many': { status: 422, detail: 'Envie no máximo 20 arquivos por vez' },
  'document.experiment_full': { status: 422, detail: 'Um experimento guarda no máximo 50 documentos' },
  'document.share_full': {
    status: 422,
    detail:
      'Os seus documentos já ocupam tanto espaço quanto resta no servidor para todos. Exclua alguns ou fale com quem administra o servidor.',
  },
  'document.loose_full': {
    status: 422,
    detail: 'Você já tem 200 arquivos sem experimento. Exclua alguns antes de enviar outros.',
  },
  'extraction.failed': { status: 422, detail: 'Erro na extração do PDF' },
  'extraction.encrypted': {
    status: 422,
    detail: 'O PDF está protegido por senha. Remova a senha e tente novamente.',
  },
  'extraction.too_many_pages': { status: 422, detail: 'O PDF tem páginas demais para a extração' },
  'extraction.no_text': { status: 422, detail: 'Nenhum texto legível foi encontrado no PDF' },
  'extraction.timeout': {
    status: 504,
    detail: 'Timeout: A extração demorou muito para processar. Tente um arquivo menor.',
  },
  'extraction.busy': { status: 503, detail: 'Muitas extrações em andamento. Tente novamente em instantes.' },
  'layout.not_found': { status: 404, detail: 'Layout não encontrado' },
  'layout.nothing_learnt': { status: 422, detail: 'Nada deste relatório pôde ser guardado como layout' },
  'lookup.not_found': { status: 404, detail: 'Nenhum experimento da organização usa este nome' },
  'lookup.in_use': { status: 409, detail: 'Já existe um item com este nome' },
  'server.fault': { status: 500, detail: 'Erro do servidor. Tente novamente mais tarde.' },
  'server.unavailable': { status: 503, detail: 'Erro do servidor. Tente novamente mais tarde.' },
  'server.busy': { status: 503, detail: 'Muitos pedidos ao mesmo tempo. Tente novamente em instantes.' },
  'server.database_away': {
    status: 503,
    detail: 'O banco de dados não está respondendo. Tente novamente em instantes.',
  },
  'server.storage_away': {
    status: 503,
    detail: 'O armazenamento de documentos não está respondendo. Tente novamente em instantes.',
  },
  'server.storage_full': {
    status: 503,
    detail: 'O servidor está sem espaço para gravar. Nada foi salvo; o que já existe pode ser consultado.',
  },
} as const satisfies Record<string, { status: number; detail: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** A field that failed: its path in the body ('tratamentos.1.nome') and the sentence for the person. */
export const FieldProblem = z.object({ path: z.string(), message: z.string() })
export type FieldProblem = z.output<typeof FieldProblem>

/** RFC 9457 with a stable code; `fields` for validation, `current` for a stale version, `id` of a logged fault. */
export const ProblemBody = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  fields: z.array(FieldProblem).optional(),
  current: z.unknown().optional(),
  erros: z.array(z.object({ linha: z.number(), coluna: z.string(), mensagem: z.string() })).optional(),
  id: z.string().optional(),
})
export type ProblemBody = z.output<typeof ProblemBody>

export type ProblemExtras = {
  fields?: readonly FieldProblem[] | undefined
  current?: unknown
  /** Particulars behind the catalogue's sentence: 'T3, T5'. */
  about?: string | undefined
  /** A sentence in place of the catalogue's, where that has a gap to fill. */
  detail?: string
  /** A status in place of the catalogue's: what is refused for its size before it is read is 413. */
  status?: 413
  /** Lines of a file, each with what is wrong in it. */
  erros?: readonly { linha: number; coluna: string; mensagem: string }[]
  /** Seconds for the Retry-After header. */
  retryAfter?: number | undefined
  cause?: unknown
}

/** A named failure; thrown by services, shown by one handler. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    super(PROBLEMS[code].detail, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'Problem'
    this.code = code
    this.extras = extras
  }
}

/** What a problem says to a person. */
export function detailOf({ code, extras: { detail, about } }: Problem): string {
  const sentence = PROBLEMS[code].detail
  return detail ?? (about ? `${sentence}: ${about}` : sentence)
}

/** It was refused for what was asked, and not because the server was busy or at fault. */
export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && PROBLEMS[error.code].status < 500

export const problem = (code: ProblemCode, extras?: ProblemExtras): Problem => new Problem(code, extras)

/** More than a person mends before sending again; without a bound an answer is forty times its question. */
const MOST_FIELDS = 100

/** Every failing field, once each, with its first sentence. */
export function fieldProblems(error: z.ZodError): FieldProblem[] {
  const first = new Map<string, string>()
  for (const issue of error.issues) {
    if (first.size === MOST_FIELDS) break
    const path = issue.path.join('.')
    if (!first.has(path)) first.set(path, issue.message)
  }
  return [...first].map(([path, message]) => ({ path, message }))
}

/** The sentence of a batch that holds too many; undefined where none does. */
export const tooLarge = ({ issues }: z.ZodError): string | undefined =>
  issues.find((issue) => issue.code === 'custom' && issue.params?.tooLarge)?.message
