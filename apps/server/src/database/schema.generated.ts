// Written by npm run types:database from the migrations.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface DB {
  'auth.amr': {
    at: Generated<Date>
    method: string
    provider: string | null
    session_id: string
  }
  'auth.application_grants': {
    client_id: string
    code_challenge: string
    code_hash: Buffer
    code_until: Date
    code_used_at: Date | null
    created_at: Generated<Date>
    device: string
    id: string
    nonce: string | null
    not_after: Date | null
    organizacao_id: string
    redirect_uri: string
    scope: string
    used_at: Date | null
    user_id: string
  }
  'auth.audit_log': {
    action: string
    actor_id: string | null
    at: Generated<Date>
    details: ColumnType<unknown, string | undefined, string>
    id: GeneratedAlways<number>
    ip: string | null
    subject_id: string | null
  }
  'auth.challenges': {
    created_at: Generated<Date>
    factor_id: string
    id: string
    session_id: string
    tries: Generated<number>
    used_at: Date | null
    webauthn_challenge: string | null
  }
  'auth.factors': {
    created_at: Generated<Date>
    credential: ColumnType<unknown, string | null, string | null>
    factor_type: 'totp' | 'phone' | 'webauthn'
    fail_count: Generated<number>
    fail_since: Date | null
    friendly_name: Generated<string>
    id: string
    last_challenged_at: Date | null
    last_step: number | null
    locked_until: Date | null
    secret_enc: Buffer | null
    status: Generated<'unverified' | 'verified'>
    updated_at: Generated<Date>
    user_id: string
  }
  'auth.failures': {
    blocked_until: Date | null
    count: number
    key: string
    updated_at: Generated<Date>
  }
  'auth.flow_states': {
    auth_code: string | null
    code_challenge: string | null
    code_issued_at: Date | null
    created_at: Generated<Date>
    id: string
    linking_user_id: string | null
    method: string
    nonce: string | null
    provider: string | null
    provider_verifier: string | null
    redirect_to: string | null
    used_at: Date | null
    user_id: string | null
  }
  'auth.identities': {
    created_at: Generated<Date>
    email: string | null
    id: string
    identity_data: ColumnType<unknown, string | undefined, string>
    last_sign_in_at: Date | null
    provider: string
    provider_id: string
    updated_at: Generated<Date>
    user_id: string
  }
  'auth.mails': {
    attempts: Generated<number>
    created_at: Generated<Date>
    id: string
    message: Buffer
    next_attempt_at: Generated<Date>
    recipient: string
  }
  'auth.one_time_tokens': {
    code_hash: Buffer
    created_at: Generated<Date>
    expires_at: Date
    flow_state_id: string | null
    kind: 'signup' | 'recovery' | 'email_change_current' | 'email_change_new' | 'reauthentication'
    link_hash: Buffer | null
    tries: Generated<number>
    user_id: string
  }
  'auth.rate_limits': {
    key: string
    taken: Generated<boolean>
    tokens: number
    updated_at: Generated<Date>
  }
  'auth.role_requests': {
    created_at: Generated<Date>
    decided_at: Date | null
    decided_by: string | null
    granted: boolean | null
    id: string
    role: 'user' | 'consultor' | 'pesquisador' | 'admin'
    user_id: string
  }
  'auth.saml_requests': {
    created_at: Generated<Date>
    flow_state_id: string | null
    id: string
    redirect_to: string | null
    value: string
  }
  'auth.script_keys': {
    can_write: boolean
    created_at: Generated<Date>
    hash: Buffer
    id: Generated<string>
    name: string
    not_after: Date
    organizacao_id: string
    used_at: Date | null
    user_id: string
  }
  'auth.secrets': {
    name: string
    value: Buffer
  }
  'auth.sessions': {
    aal: Generated<'aal1' | 'aal2'>
    aparelho: string | null
    campo: Generated<boolean>
    created_at: Generated<Date>
    factor_id: string | null
    id: string
    ip: string | null
    not_after: Date
    organizacao_id: string | null
    origem: string | null
    refreshed_at: Generated<Date>
    revogada: Generated<boolean>
    rt_counter: Generated<number>
    rt_floor: Generated<number>
    user_agent: string | null
    user_id: string
  }
  'auth.signing_keys': {
    created_at: Generated<Date>
    kid: string
    private_sealed: Buffer
    public_jwk: ColumnType<unknown, string, string>
    retires_at: Date | null
    signs_from: Date
  }
  'auth.users': {
    app_metadata: ColumnType<unknown, string | undefined, string>
    app_role: Generated<'user' | 'consultor' | 'pesquisador' | 'admin'>
    blocked_at: Date | null
    company: GeneratedAlways<string | null>
    confirmation_sent_at: Date | null
    created_at: Generated<Date>
    email: string
    email_change_sent_at: Date | null
    email_confirmed_at: Date | null
    id: string
    invited_at: Date | null
    last_sign_in_at: Date | null
    name: GeneratedAlways<string | null>
    new_email: string | null
    password_hash: string | null
    reauthentication_sent_at: Date | null
    recovery_sent_at: Date | null
    updated_at: Generated<Date>
    user_metadata: ColumnType<unknown, string | undefined, string>
  }
  acervos: {
    colecoes: Generated<number[]>
    embargo: Generated<boolean>
    id: GeneratedAlways<number>
    organizacao_id: string
  }
  alertas: {
    condicao: ColumnType<unknown, string | null, string | null>
    created_at: Generated<Date>
    enviado_em: Date | null
    exatos: string[]
    falhas: Generated<number>
    frequencia: 'na_hora' | 'por_dia' | 'por_semana'
    gancho: GeneratedAlways<string | null>
    id: Generated<string>
    organizacao_id: Generated<string>
    pausado: string | null
    pessoa_id: string
    vista_id: string
  }
  alteracoes: {
    acao: 'criado' | 'alterado' | 'excluído' | 'restaurado'
    antes: ColumnType<unknown, string | null, string | null>
    depois: ColumnType<unknown, string | null, string | null>
    em_nome_de: string | null
    experimento_id: string
    id: GeneratedAlways<number>
    quando: Generated<Date>
    quem: string | null
    versao: number | null
  }
  analises: {
    avaliacao: string | null
    chave: string | null
    conclusao: string
    cv: number | null
    dados_versao: number
    experimento_id: string
    id: Generated<string>
    motor: string
    opcoes: ColumnType<unknown, string, string>
    ordem: number
    quando: Generated<Date>
    quem: string | null
    resposta: ColumnType<unknown, string, string>
    retirada_em: Date | null
    retirada_motivo: string | null
    retirada_por: string | null
    teste: string
    titulo: string
    variavel: string
  }
  analises_adicionais: {
    experimento_id: string
    nome: string
    ordem: number
    tratamento: number
    unidade: Generated<string>
    valor: number
  }
  aparelhos: {
    contato_em: Generated<Date>
    criado_em: Generated<Date>
    dia: Generated<string>
    id: string
    no_dia: Generated<number>
    pendentes: Generated<number>
    pessoa_id: string
    revogado_em: Date | null
  }
  atividades: {
    acao: string
    detalhes: ColumnType<unknown, string | undefined, string>
    em_nome_de: string | null
    numero: number
    organizacao_id: string
    quando: Generated<Date>
    quem: string | null
  }
  avisos: {
    alerta_id: string
    enviado_em: Date | null
    experimento_id: string
    lido: Generated<boolean>
    organizacao_id: string
    pessoa_id: string
    quando: Generated<Date>
  }
  buscas_brapi: {
    criada_em: Generated<Date>
    entidade: string
    id: string
    organizacao_id: Generated<string>
    pedido: ColumnType<unknown, string, string>
    pessoa_id: string
  }
  celulas: {
    ano: number
    bu: number
    cultura_id: number
    empates: Generated<number>
    fabricante_id: number
    n: number
    n_argila: number
    n_ganho: Generated<number>
    n_razao: Generated<number>
    n_roi: number
    regiao_id: number
    soma: number
    soma2: number
    soma2_ganho: Generated<number>
    soma2_razao: Generated<number>
    soma_ganho: Generated<number>
    soma_razao: Generated<number>
    soma_roi: number
    visao_id: number
    vitorias: Generated<number>
  }
  celulas_consultoria: {
    ano: number
    bu: number
    consultoria_id: number
    cultura_id: number
    fabricante_id: number
    n: number
    regiao_id: number
    visao_id: number
  }
  celulas_modalidade: {
    ano: number
    bu: number
    cultura_id: number
    empates: Generated<number>
    fabricante_id: number
    modalidade_id: number
    n: number
    n_ganho: Generated<number>
    n_razao: Generated<number>
    n_roi: number
    regiao_id: number
    soma: number
    soma2: number
    soma2_ganho: Generated<number>
    soma2_razao: Generated<number>
    soma_ganho: Generated<number>
    soma_razao: Generated<number>
    soma_roi: number
    visao_id: number
    vitorias: Generated<number>
  }
  celulas_produto: {
    ano: number
    bu: number
    cultura_id: number
    empates: Generated<number>
    fabricante_id: number
    n: number
    n_custo: number
    n_ganho: Generated<number>
    n_razao: Generated<number>
    n_roi: number
    produto_id: number
    regiao_id: number
    soma2_ganho: Generated<number>
    soma2_razao: Generated<number>
    soma_custo: number
    soma_ganho: Generated<number>
    soma_razao: Generated<number>
    soma_roi: number
    visao_id: number
    vitorias: Generated<number>
  }
  cenarios: {
    alterado_em: Generated<Date>
    alterado_por: string | null
    corpo: ColumnType<unknown, string, string>
    experimento_id: string
    versao: Generated<number>
  }
  cidades: {
    area_km2: number | null
    busca: string
    codigo_ibge: number | null
    estado: string
    id: Generated<number>
    latitude: number | null
    longitude: number | null
    nome: string
  }
  colecao_experimentos: {
    colecao_id: number
    experimento_id: string
  }
  colecoes: {
    ate: string | null
    chave: Generated<string>
    comentarios: boolean | null
    created_at: Generated<Date>
    custos: boolean | null
    destino_id: string | null
    documentos: boolean | null
    filtro: ColumnType<unknown, string | null, string | null>
    id: GeneratedAlways<number>
    nome: string
    organizacao_id: string
    produto: string | null
    pronta: Generated<boolean>
    tipo: 'filtro' | 'lista' | 'avulsos'
    versao: Generated<number>
  }
  comentarios: {
    autor: string | null
    experimento_id: string
    id: Generated<string>
    organizacao_id: string | null
    quando: Generated<Date>
    texto: string
  }
  compartilhamentos: {
    aceito_em: Date | null
    alvo: 'colecao' | 'experimento' | 'tudo'
    ate: string | null
    colecao_id: number | null
    comentarios: boolean
    created_at: Generated<Date>
    custos: boolean
    destino_id: string | null
    documentos: boolean
    email: string | null
    estado: Generated<'pendente' | 'aceito' | 'recusado' | 'revogado' | 'vencido'>
    experimento_id: string | null
    id: Generated<string>
    nome: string
    organizacao_id: string
    quem: string | null
  }
  conjuntos: {
    id: Generated<number>
    produtos: number[]
    resumo: GeneratedAlways<Buffer>
  }
  consultorias: {
    busca: string
    id: Generated<number>
    nome: string
  }
  contados: {
    acervo_id: number
    amostra: number
    ano: number
    bu: number
    cidade_id: number
    com_documento: boolean
    conjunto_id: number
    consultoria_id: number
    cultura_id: number
    custo_protocolo: number
    custo_total: number | null
    fabricante_id: number
    falta: Generated<number>
    ganho: number | null
    id: string
    latitude: number | null
    longitude: number | null
    produtividade_media: number
    razao: number | null
    regiao_id: number
    roi: number | null
    teor_argila: number | null
    teor_materia_organica: number | null
    tipo_estatistica: string
  }
  contados_modalidades: {
    acervo_id: number
    experimento_id: string
    ganho: number | null
    modalidade_id: number
    n: number
    razao: number | null
    soma: number
    soma2: number
  }
  contados_produtos: {
    acervo_id: number
    experimento_id: string
    ganho: number | null
    n_custo: number
    produto_id: number
    razao: number | null
    soma_custo: number
  }
  convites: {
    created_at: Generated<Date>
    email: string
    encerrado_em: Date | null
    expira_em: Generated<Date>
    id: Generated<string>
    organizacao_id: string
    papel: 'dono' | 'gestor' | 'pesquisador' | 'leitor'
    quem: string | null
    token_hash: Buffer
  }
  convites_campo: {
    aparelho: string | null
    ate: Date
    chave_hash: Buffer | null
    codigo_hash: Buffer
    criado_em: Generated<Date>
    experimento_id: string
    expira_em: Date
    id: Generated<string>
    nome: string | null
    organizacao_id: string
    pessoa_id: string
    revogado_em: Date | null
    usado_em: Date | null
  }
  culturas: {
    ativo: Generated<boolean>
    busca: string
    id: Generated<number>
    nome_cultura: string
    proposto: Generated<boolean>
  }
  documentos: {
    armazenado: string
    created_at: Generated<Date>
    created_by: string | null
    experimento_id: string | null
    filename: string
    id: string
    organizacao_id: Generated<string>
    sha256: string
    tamanho: number
  }
  efeitos: {
    busca: string
    cv: number | null
    dados: ColumnType<unknown, string, string>
    experimento_id: string
    ficha_versao: number | null
    motor: string
    n_parcelas: number
    nome: string
    origem: 'parcelas' | 'reconstruida' | 'ausente'
    produtividade: boolean
    repeticoes: number | null
    testemunha: number | null
    umidade: number | null
    unidade: string
    variavel: string
  }
  efeitos_pendentes: {
    desde: Generated<Date>
    experimento_id: string
    tentativas: Generated<number>
  }
  equipe_campo: {
    desde: Generated<Date>
    experimento_id: string
    organizacao_id: string
    pessoa_id: string
  }
  estados: {
    nome: string
    regional: string
    sigla: string
  }
  experimentos: {
    acervo_id: number
    achados: Generated<number>
    amostra: Generated<number>
    ano: number
    apontamentos: number | null
    apontamentos_vistos: number | null
    bu: number
    cidade_id: number
    codigo: string | null
    codigo_busca: string | null
    conclusao: string | null
    consultoria_id: number
    created_at: Generated<Date>
    created_by: string | null
    cultivar: string
    cultura_id: number
    custo_protocolo: number
    custo_total: number | null
    deleted_at: Date | null
    deleted_by: string | null
    documento_id: string | null
    embargo_ate: string | null
    estatistica_informada: ColumnType<unknown, string | null, string | null>
    fabricante_id: number
    ficha_ultima: Generated<number>
    ficha_versao: number | null
    id: string
    latitude: number | null
    longitude: number | null
    n_tratamentos: number
    organizacao_id: Generated<string>
    produtividade_media: number
    regiao_id: number
    regras: Generated<number>
    roi: number | null
    teor_argila: number | null
    teor_materia_organica: number | null
    tipo_estatistica: string
    updated_at: Generated<Date>
    versao: Generated<number>
  }
  fabricantes: {
    ativo: Generated<boolean>
    busca: string
    id: Generated<number>
    nome: string
    proposto: Generated<boolean>
  }
  faixas_cultura: {
    abaixo: number
    acima: number
    cultura: string
    endereco: string | null
    fonte: string
    impossivel: number
    lida_em: Generated<string>
    ligada: boolean
    media: number
    publicada: string | null
    safra: string
    versao: number
  }
  faixas_cv: {
    alto: number
    cultura: string
    medio: number
    muito_alto: number
    variavel: string
  }
  fichas: {
    alterada_em: Generated<Date>
    alterada_por: string | null
    as_cegas: Generated<boolean>
    blocos_campo: ColumnType<unknown, string | undefined, string>
    corpo: ColumnType<unknown, string, string>
    experimento_id: string
    informadas: ColumnType<unknown, string | undefined, string>
    versao: Generated<number>
  }
  fotos: {
    altura: number | null
    aparelho: string | null
    armazenado: string | null
    avaliacao: string | null
    coletor: string | null
    criada_em: Generated<Date>
    dados: ColumnType<unknown, string | undefined, string>
    descricao: string | null
    experimento_id: string
    id: string
    largura: number | null
    miniatura: Buffer | null
    origem: 'campo' | 'brapi'
    parcela: string
    pessoa_id: string | null
    posicao: ColumnType<unknown, string | null, string | null>
    quando: Date
    sha256: string | null
    sha256_enviado: string | null
    tamanho: number | null
    tamanho_enviado: number | null
    variavel: string | null
  }
  fotos_partes: {
    conteudo: Buffer
    de: number
    experimento_id: string
    foto_id: string
  }
  grafias: {
    nome: string
    nome_id: number
    organizacao_id: string
    tabela: string
  }
  idempotencia: {
    chave: string
    created_at: Generated<Date>
    experimento_id: string
    organizacao_id: Generated<string>
    pedido_sha256: string
    user_id: string
  }
  importacao_arquivos: {
    conteudo: Buffer
    importacao_id: string
  }
  importacao_experimentos: {
    antes: ColumnType<unknown, string | null, string | null>
    avisos: boolean
    chave: string | null
    dados: ColumnType<unknown, string, string>
    desfeito: Generated<boolean>
    estado: string
    experimento_id: string | null
    folhas: number[]
    gravado: string | null
    importacao_id: string
    linhas: number[]
    marca: string | null
    mesmo_assim: Generated<boolean>
    mudancas: ColumnType<unknown, string | undefined, string>
    n: number
    problemas: ColumnType<unknown, string | undefined, string>
    versao: number | null
  }
  importacao_linhas: {
    celulas: ColumnType<unknown, string, string>
    folha: number
    importacao_id: string
    linha: number
  }
  importacoes: {
    cabeca: ColumnType<unknown, string | null, string | null>
    chave: string | null
    created_at: Generated<Date>
    criada_por: string | null
    entendidos: Generated<number>
    escolhas: ColumnType<unknown, string | undefined, string>
    estado: Generated<string>
    gravada_em: Date | null
    gravar: ColumnType<unknown, string | null, string | null>
    id: string
    linhas: Generated<number>
    nome: string
    notas: ColumnType<unknown, string | undefined, string>
    ocupada_ate: Date | null
    organizacao_id: Generated<string>
    plano: ColumnType<unknown, string | null, string | null>
    problema: ColumnType<unknown, string | null, string | null>
    rodada: Generated<number>
    sha256: string
    texto: boolean
  }
  instalacao: {
    organizacao_id: string
    organizacoes: Generated<'uma' | 'varias'>
    unica: Generated<boolean>
  }
  layouts: {
    criado_em: Generated<Date>
    criado_por: string | null
    id: Generated<string>
    impressao: ColumnType<unknown, string, string>
    mapa: ColumnType<unknown, string, string>
    organizacao_id: Generated<string>
    usado_em: Generated<Date>
  }
  leituras: {
    created_at: Generated<Date>
    motor: string
    organizacao_id: Generated<string>
    resultado: ColumnType<unknown, string, string>
    sha256: string
  }
  links_publicos: {
    aberto_em: string | null
    aberturas: Generated<number>
    ate: string
    created_at: Generated<Date>
    custos: boolean
    documentos: boolean
    experimento_id: string
    id: Generated<string>
    organizacao_id: string
    quem: string | null
    revogado_em: Date | null
    senha_hash: string | null
    token_hash: Buffer
  }
  marcas_graficas: {
    cor: string | null
    logo: Buffer | null
    organizacao_id: string
    updated_at: Generated<Date>
  }
  margens: {
    chave: number
    empates: Generated<number>
    filtro: number
    n: number
    n_argila: number
    n_ganho: Generated<number>
    n_razao: Generated<number>
    n_roi: number
    por: number
    soma: number
    soma2: number
    soma2_ganho: Generated<number>
    soma2_razao: Generated<number>
    soma_ganho: Generated<number>
    soma_razao: Generated<number>
    soma_roi: number
    valor: number
    visao_id: number
    vitorias: Generated<number>
  }
  margens_lugar: {
    chave: number
    cidade_id: number
    filtro: number
    lugar: number
    n: number
    n_razao: Generated<number>
    soma_latitude: number
    soma_longitude: number
    soma_razao: Generated<number>
    visao_id: number
  }
  margens_produto: {
    chave: number
    empates: Generated<number>
    fabricante_id: number
    filtro: number
    n: number
    n_custo: number
    n_ganho: Generated<number>
    n_razao: Generated<number>
    n_roi: number
    produto_id: number
    soma2_ganho: Generated<number>
    soma2_razao: Generated<number>
    soma_custo: number
    soma_ganho: Generated<number>
    soma_razao: Generated<number>
    soma_roi: number
    visao_id: number
    vitorias: Generated<number>
  }
  membros: {
    desde: Generated<Date>
    organizacao_id: string
    papel: 'dono' | 'gestor' | 'pesquisador' | 'leitor'
    pessoa_id: string
  }
  migrations: {
    applied_at: Generated<Date>
    name: string
  }
  modalidades: {
    busca: string
    id: Generated<number>
    nome: string
  }
  modelos_planilha: {
    created_at: Generated<Date>
    criado_por: string | null
    forma: string
    id: Generated<string>
    mapa: ColumnType<unknown, string, string>
    nome: string
    nome_busca: string
    organizacao_id: Generated<string>
    padroes: ColumnType<unknown, string, string>
  }
  novidades: {
    acervo_id: number | null
    alteracao_id: number | null
    experimento_id: string | null
    id: GeneratedAlways<number>
    organizacao_id: string | null
    quando: Generated<Date>
    viam: Generated<string[]>
    vista: Generated<boolean>
  }
  organizacoes: {
    codigo: Generated<string>
    created_at: Generated<Date>
    fecha_em: Date | null
    id: Generated<string>
    nome: string
    tipo: 'consultoria' | 'fabricante' | 'fazenda' | 'pessoal'
  }
  organizacoes_encerradas: {
    created_at: Date
    destruida_em: Generated<Date>
    fecha_em: Date
    id: string
  }
  pacotes_campo: {
    aparelho: string
    experimento_id: string
    levado_em: Generated<Date>
    pessoa_id: string
  }
  parcelas: {
    codigo: string
    experimento_id: string
    id: string
    numero: number
    ordem: number
  }
  parcelas_idas: {
    experimento_id: string
    id: string
  }
  preferencias: {
    consolidado_sem: Generated<string[]>
    organizacao_id: string
    pessoa_id: string
    relatorio_sem: Generated<string[]>
    resumo_em: Date | null
    resumo_semanal: Generated<boolean>
    vista_padrao: string | null
  }
  produtos: {
    ativo: Generated<boolean>
    busca: string
    fabricante_id: number | null
    id: Generated<number>
    nome: string
    proposto: Generated<boolean>
  }
  produtos_aplicados: {
    custo: number | null
    dose: number | null
    experimento_id: string
    ordem: number
    produto_id: number
    tratamento: number
    unidade: string | null
  }
  referencias: {
    doses: ColumnType<unknown, string, string>
    experimento_id: string
    lidas: ColumnType<unknown, string, string>
  }
  regioes: {
    ativo: Generated<boolean>
    busca: string
    id: Generated<number>
    nome: string
    proposto: Generated<boolean>
    sigla: string | null
  }
  registros: {
    amostra: number | null
    aparelho: string | null
    avaliacao: string | null
    base: string | null
    coletor: string | null
    confirmado: Generated<boolean>
    encerrado: Generated<boolean>
    estado: 'aplicado' | 'igual' | 'conflito' | 'guardado'
    experimento_id: string
    extra: ColumnType<unknown, string | null, string | null>
    fora: Generated<boolean>
    id: string
    motivo: string | null
    ordem: number
    origem: 'campo' | 'mesa' | 'brapi'
    parcela: string | null
    pessoa_id: string | null
    quando: Date
    recebido_em: Generated<Date>
    revisao: string | null
    seq: number | null
    tipo: string
    valor: ColumnType<unknown, string | null, string | null>
    variavel: string | null
  }
  relatorios: {
    acervos: Generated<number[]>
    acervos_com_custos: Generated<number[]>
    conteudo: Buffer | null
    created_at: Generated<Date>
    estado: Generated<'fazendo' | 'pronto' | 'falhou'>
    formato: 'pdf' | 'docx' | 'pptx'
    id: Generated<string>
    n: number
    nome: string
    organizacao_id: Generated<string>
    pedido: ColumnType<unknown, string, string>
    pessoa_id: string
    progresso: Generated<number>
    recebidos: Generated<string[]>
    recebidos_com_custos: Generated<string[]>
    vivo_em: Generated<Date>
  }
  respostas_qualidade: {
    codigo: string
    experimento_id: string
    lugar: string
    quando: Generated<Date>
    quem: string | null
    texto: string
    valor: string
  }
  sinteses: {
    chave: string | null
    compartilhada: boolean
    conclusao: string
    experimentos: string[]
    id: Generated<string>
    motor: string
    opcoes: ColumnType<unknown, string, string>
    organizacao_id: Generated<string>
    quando: Generated<Date>
    quem: string | null
    resposta: ColumnType<unknown, string, string>
    titulo: string
    versoes: ColumnType<unknown, string, string>
  }
  sujos: {
    experimento_id: string
  }
  sujos_falhos: {
    experimento_id: string
    motivo: string
    quando: Generated<Date>
  }
  transferencias: {
    created_at: Generated<Date>
    destino_id: string
    estado: Generated<'pendente' | 'aceita' | 'recusada'>
    experimentos: string[]
    expira_em: Generated<Date>
    id: Generated<string>
    organizacao_id: string
    quem: string | null
  }
  tratamentos: {
    custo: number | null
    experimento_id: string
    modalidade_id: number
    nome: string
    ordem: number
    produtividade: number
  }
  valores: {
    avaliacao: string | null
    experimento_id: string
    ordem: number
    registros: Generated<string[]>
    textos: ColumnType<unknown, string | null, string | null>
    valores: ColumnType<unknown, string, string>
    variavel: string
  }
  visibilidade: {
    acervos: Generated<number[]>
    com_comentarios: Generated<number[]>
    com_custos: Generated<number[]>
    com_documentos: Generated<number[]>
    organizacao_id: string
    valida_ate: Date | null
  }
  visoes: {
    acervos: Generated<number[]>
    com_custos: Generated<number[]>
    id: GeneratedAlways<number>
    organizacao_id: string
    parte: Generated<number>
  }
  vista_semanas: {
    media: number | null
    pessoa_id: string
    total: number
    vista_id: string
  }
  vistas: {
    created_at: Generated<Date>
    criada_por: string | null
    dono: string | null
    estado: ColumnType<unknown, string, string>
    id: Generated<string>
    nome: string
    nome_busca: string
    organizacao_id: Generated<string>
    updated_at: Generated<Date>
  }
}
