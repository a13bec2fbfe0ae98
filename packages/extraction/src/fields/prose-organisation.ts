import { findBrands } from '../values/lexicon.ts'
import { findPlaces } from '../values/places.ts'
import { parseOrganisation } from './houses.ts'
import type { Add, Sentence } from './prose.ts'

const NAME = String.raw`((?:(?:\p{Lu}|\d)[\p{L}\d&.'’/-]*)(?:\s+(?:(?:d[aeo]s?|e|&)\s+)?(?:\p{Lu}|\d)[\p{L}\d&.'’/-]*){0,6})`
const BY = new RegExp(
  String.raw`(?:[Cc]onduzid|[Ee]mitid|[Pp]reparad|[Rr]edigid|[Aa]presentad|[Rr]ealizad|[Ee]xecutad|[Ii]nstalad|[Aa]companhad|[Ee]laborad|[Dd]esenvolvid|[Cc]oordenad|[Aa]valiad|[Ii]mplantad|[Mm]onitorad|[Ll]evad|[Tt]ocad|[Ff]eit|[Aa]ssinad)[oa]s?(?:\s+(?:e|a|em|no|na)\s+[\p{L}\d/.]+){0,3}?\s+(?:pel[ao]s?|por)\s+(?:(?:equipe|t[eé]cnicos|pesquisadores|time|empresa|consultoria|firma|corpo t[eé]cnico|profissionais)\s+)?(?:(?:t[eé]cnica|de campo|de pesquisa|consultora)\s+)?(?:d[aeo]\s+)?(?:empresa\s+|consultoria\s+)?(?=\p{Lu}|\d)${NAME}`,
  'gu',
)
const SUBJECT = new RegExp(
  String.raw`(?:^|[.;,]\s|\s)(?:A|O|a|o)\s+(?:(?:equipe|empresa|consultoria|firma)\s+(?:t[eé]cnica\s+)?(?:d[aeo]\s+)?)?${NAME}\s*,?\s+(?:acompanhou|conduziu|realizou|instalou|executou|avaliou|testou|implantou|desenvolveu|elaborou|montou|coordenou|comparou|apresenta|foi respons[aá]vel|ficou respons[aá]vel|monitorou|colheu)`,
  'gu',
)
const DUTY = new RegExp(
  String.raw`(?<!\p{L})(?:a cargo d[aeo]|responsabilidade (?:t[eé]cnica )?d[aeo]|execu[cç][aã]o d[aeo]|condu[cç][aã]o d[aeo]|parceria com (?:a consultoria|a empresa)|consultoria|equipe d[aeo]|t[eé]cnicos d[aeo])\s+(?:empresa\s+|consultoria\s+)?${NAME}`,
  'gu',
)

/** 'Relatório da Estação X', 'Avaliação independente de Y Consultoria': only for what is named like a house. */
const PAPER_OF = new RegExp(
  String.raw`(?:^|[.;]\s)(?:Relat[óo]rio|Laudo|Boletim|Avalia[çc][ãa]o|Estudo|Trabalho|Pesquisa|Ensaio)(?:\s+(?:t[ée]cnic[oa]|independente|final|de campo))*\s+d[aeo]s?\s+${NAME}`,
  'gu',
)

/** 'na Fazenda Experimental Santa Cecília, da Universidade X': whose fields they are. */
const CAMPUS_OF = new RegExp(
  String.raw`(?:[áÁaA]rea|[Ff]azenda|[Ee]sta[çc][ãa]o|[Cc]ampo)\s+[Ee]xperimental(?:\s+(?:d[aeo]s?\s+)?\p{Lu}[\p{L}]+){0,4},?\s+(?:d[ao]|pertencente\s+[àa]o?)\s+(?=(?:Universidade|Instituto|Faculdade|Funda[çc][ãa]o|Escola|Centro|Col[ée]gio)\s)${NAME}`,
  'gu',
)

/** Who did the trial, by the verbs and nouns that say so. */
export function readOrganisation({ text, folded, place }: Sentence, add: Add): void {
  const patterns: readonly [RegExp, number][] = [
    [BY, 0.88],
    [SUBJECT, 0.86],
    [DUTY, 0.78],
    [PAPER_OF, 0.7],
    [CAMPUS_OF, 0.72],
  ]
  const places = findPlaces(text, folded)
  for (const [pattern, score] of patterns)
    for (const match of text.matchAll(pattern)) {
      // A word before a colon is the next label.
      const behind = text.slice(match.index + match[0].length)
      if (!match[1] || /^\s*:/.test(behind)) continue
      // 'Nas parcelas que o Iapar acompanhou': those are others.
      const before = folded.slice(Math.max(0, match.index - 24), match.index + 1)
      if (pattern === SUBJECT && /\b(?:parcelas|areas|lavouras|trabalhos|ensaios) que\s*$/.test(before))
        continue
      // 'Elaborado por Ricardo Sanches, eng. agr., M.Sc.' is a person.
      if (/^,?\s*\(?(?:[Ee]ng[.ªenh]|[Mm]\.? ?[Ss]c|[Dd]r[.a]|[Pp]rof|[Tt][ée]cnic[oa] )/.test(behind))
        continue
      // 'Irriga Goiás Consultoria / Cristalina, Goiás': the town on the next line is no part of the name.
      const at = match.index + match[0].lastIndexOf(match[1])
      const town = places.find(
        (found) => found.state && found.start > at + 3 && found.start < at + (match[1]?.length ?? 0),
      )
      const name = town ? match[1].slice(0, town.start - at).trimEnd() : match[1]
      const parsed = parseOrganisation(name)
      if (pattern === PAPER_OF && (parsed?.fit ?? 0) < 1) continue
      if (!parsed || findBrands(folded).some((b) => folded.slice(b.start, b.end) === name.toLowerCase()))
        continue
      if (
        /^(?:latossolo|argissolo|neossolo|nitossolo|cambissolo|solo\b|tratamento|testemunha|produto|protocolo|fazenda|dose|sr|bloco|nutri|ensaio|programa|manejo|t\d)/i.test(
          name,
        )
      )
        continue
      const start = match.index + match[0].lastIndexOf(name) + parsed.start
      add(
        'consultoria',
        parsed.value,
        score * parsed.fit * (place < 0.5 ? 1 : 0.93),
        start,
        start + parsed.end - parsed.start,
      )
    }
}
