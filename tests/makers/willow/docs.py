"""Contents of the documents (except identity cards): builders return a Doc with blocks."""
import datetime as dt
from data import *

class Doc:
    def __init__(s, type, lang, c, v):
        s.type, s.lang, s.c, s.v = type, lang, c, v
        s.fields, s.truth, s.blocks, s.checks = {}, {}, [], []
        s.layout = "colon"; s.date = None; s.org = ""; s.color = None; s.person = None; s.ttl = ""; s.numfmt = c
    def f(s, code, printed, kind, val=None): s.fields[code] = printed; s.truth[code] = (kind, val if val is not None else printed)
    def who(s, p, up=False, name=True, addr=("address","postCode","city"), upcity=False, first=True):
        s.person = p
        if name: s.f("lastName", p.last.upper() if up else p.last, "name", p.last)
        if name and first: s.f("firstName", p.first, "name")
        for a in addr: s.f(a, {"address":p.street,"postCode":p.pc,"city":p.city.upper() if upcity else p.city}[a], {"address":"addr","postCode":"code","city":"city"}[a])
    def head(s, name, *lines): s.org = name; s.blocks.append(("head", name, list(lines)))
    def addr(s, *lines): s.blocks.append(("addr", list(lines)))
    def title(s, t, sub=""): s.ttl = t; s.blocks.append(("title", t, sub))
    def kv(s, pairs, heading="", cols=1): s.blocks.append(("kv", [(a, b) for a, b in pairs if b], heading, cols))
    def table(s, header, rows, last=0): s.blocks.append(("table", header, rows, last))
    def p(s, *t):
        for x in t: s.blocks.append(("p", x))
    def small(s, t): s.blocks.append(("small", t))
    def lines(s, *l): s.blocks.append(("lines", list(l)))
    def sig(s, where, name): s.blocks.append(("sig", where, name))

def full(p, up=False): return f"{p.first} {p.last.upper() if up else p.last}"
def fulltitle(p, up=False): return f"{p.title} {full(p, up)}"
def orgaddr(r, c):
    q = P(); q.c = c; q.street = street(r, c); q.pc, q.city = r.choice(CITY[c]); q.state = STATE.get(q.city, ""); return q
def company(r, lang, c):
    n = r.choice(COMP[lang]); return f"{n} {r.choice(LEGAL[c])}"
def regline(r, lang, c, d):
    if c == "FR":
        sn = siren(r); d.checks.append(("luhn", sn)); st = siret(r, sn); d.checks.append(("luhn", st)); return f"SIRET {st[:3]} {st[3:6]} {st[6:9]} {st[9:]} – TVA intracommunautaire {frvat(sn)}"
    if c == "BE": b = bevat(r); return f"TVA BE {b[:4]}.{b[4:7]}.{b[7:]} – RPM Liège"
    if c == "CH": return f"{cheuid(r)} TVA"
    if c == "QC": return f"NEQ 11{digs(r,8)} – TPS {digs(r,9)} RT0001 – TVQ {digs(r,10)} TQ0001"
    if c == "GB": return f"Registered in England and Wales No. {r.randint(3000000,14999999):08d} – VAT No. {gbvat(r)}"
    if c == "IE": return f"Registered in Ireland No. {digs(r,6)} – VAT {ievat(r)}"
    if c == "US": return f"EIN {r.randint(10,88)}-{digs(r,7)}"
    if c == "CA": return f"GST/HST No. {digs(r,9)} RT0001"
    if c == "DE": return f"USt-IdNr. {devat(r)} – HRB {digs(r,5)}"
    if c == "ES": return f"NIF {escif(r)}"
    if c == "IT": return f"P. IVA {itiva(r)}"
    if c == "NL": return f"KvK {digs(r,8)} – btw-nr. {nlvat(r)}"
    return f"NIF {ptnif(r)}"

# ------------------------------------------------------------------ INVOICE
IL = {
 "fr": dict(t=["FACTURE","Facture","Note d'honoraires"], no=["Facture n°","N° de facture","Numéro"], dt=["Date de facture","Date d'émission","Date"], due=["Échéance","À payer avant le","Date d'échéance"], desc=["Désignation","Description","Prestation"], q=["Qté","Quantité","Nb"], pu=["P.U. HT","Prix unitaire","Prix HT"], am=["Montant HT","Total HT","Montant"], net=["Total HT","Sous-total","Montant hors taxes"], vat=["TVA","T.V.A.","Taxe"], tot=["Total TTC","Net à payer","Montant total TTC"], pay=["Règlement par virement","Coordonnées bancaires","Paiement"], cust=["Client","Facturé à","Destinataire"]),
 "en": dict(t=["INVOICE","Invoice","Tax Invoice"], no=["Invoice no.","Invoice number","Number"], dt=["Invoice date","Date of issue","Date"], due=["Due date","Payment due","Pay by"], desc=["Description","Item","Details"], q=["Qty","Quantity","Hours"], pu=["Unit price","Price","Rate"], am=["Amount","Line total","Net"], net=["Subtotal","Total excl. tax","Net total"], vat=["VAT","VAT","VAT"], tot=["Total due","Invoice total","Amount payable"], pay=["Bank transfer","Payment details","How to pay"], cust=["Bill to","Customer","Client"]),
 "de": dict(t=["RECHNUNG","Rechnung","Rechnung"], no=["Rechnungsnummer","Rechnungs-Nr.","Nr."], dt=["Rechnungsdatum","Datum","Ausstellungsdatum"], due=["Zahlbar bis","Fällig am","Zahlungsziel"], desc=["Bezeichnung","Leistung","Artikel"], q=["Menge","Anzahl","Std."], pu=["Einzelpreis","Preis","EP"], am=["Gesamt","Betrag","Summe"], net=["Nettobetrag","Zwischensumme","Summe netto"], vat=["MwSt.","USt.","zzgl. USt."], tot=["Gesamtbetrag","Rechnungsbetrag","Zu zahlen"], pay=["Bankverbindung","Überweisung an","Zahlung"], cust=["Kunde","Rechnung an","Auftraggeber"]),
 "es": dict(t=["FACTURA","Factura","Factura"], no=["Factura n.º","Número de factura","N.º"], dt=["Fecha de emisión","Fecha","Fecha factura"], due=["Vencimiento","Fecha de vencimiento","Pagar antes de"], desc=["Concepto","Descripción","Detalle"], q=["Cant.","Cantidad","Uds."], pu=["Precio","Precio unitario","P. unit."], am=["Importe","Total","Importe"], net=["Base imponible","Subtotal","Base imponible"], vat=["IVA","IVA","Cuota IVA"], tot=["Total factura","Importe total","Total a pagar"], pay=["Forma de pago: transferencia","Datos bancarios","Transferencia"], cust=["Cliente","Facturar a","Cliente"]),
 "it": dict(t=["FATTURA","Fattura","Fattura"], no=["Fattura n.","Numero fattura","Numero"], dt=["Data fattura","Data emissione","Data"], due=["Scadenza","Data scadenza","Pagare entro"], desc=["Descrizione","Prestazione","Articolo"], q=["Q.tà","Quantità","Ore"], pu=["Prezzo unit.","Prezzo","Tariffa"], am=["Importo","Totale","Importo"], net=["Imponibile","Totale imponibile","Subtotale"], vat=["IVA","IVA","Imposta"], tot=["Totale documento","Totale fattura","Netto a pagare"], pay=["Coordinate bancarie","Bonifico bancario","Pagamento"], cust=["Cliente","Spett.le","Destinatario"]),
 "nl": dict(t=["FACTUUR","Factuur","Factuur"], no=["Factuurnummer","Factuurnr.","Nummer"], dt=["Factuurdatum","Datum","Datum"], due=["Vervaldatum","Te betalen vóór","Vervaldatum"], desc=["Omschrijving","Artikel","Werkzaamheden"], q=["Aantal","Aantal","Uren"], pu=["Prijs","Stukprijs","Tarief"], am=["Bedrag","Totaal","Bedrag"], net=["Subtotaal","Totaal excl. btw","Subtotaal"], vat=["btw","Btw","BTW"], tot=["Totaal incl. btw","Te betalen","Totaalbedrag"], pay=["Betaling","Overmaken naar","Bankgegevens"], cust=["Klant","Aan","Debiteur"]),
 "pt": dict(t=["FATURA","Fatura","Fatura"], no=["Fatura n.º","Número da fatura","N.º"], dt=["Data de emissão","Data","Data da fatura"], due=["Vencimento","Data de vencimento","Pagar até"], desc=["Descrição","Artigo","Serviço"], q=["Qtd.","Quantidade","Horas"], pu=["Preço unit.","Preço","Valor"], am=["Valor","Total","Montante"], net=["Total ilíquido","Subtotal","Base tributável"], vat=["IVA","IVA","IVA"], tot=["Total a pagar","Total da fatura","Valor total"], pay=["Dados bancários","Transferência","Pagamento"], cust=["Cliente","Faturar a","Exmo. Sr."])}
ITEMS = {"fr":["Pose de plinthes en chêne","Remplacement robinet mitigeur","Main-d'œuvre (heure)","Vidange et filtre à huile","Plateau-repas midi","Déplacement zone 2","Maintenance poste informatique","Peinture murale satinée","Carte de visite 350 g","Étude thermique"],
 "en":["Supply and fit radiator valve","Labour (per hour)","Annual boiler service","Brake pads, front axle","Site visit and report","Printed folders A4","Deep clean, two rooms","Network switch 8-port","Oak shelving","Garden waste removal"],
 "de":["Montage Steckdosen","Arbeitszeit (Std.)","Anfahrt","Kopierpapier A4","Regalboden Eiche"],"es":["Alicatado de baño","Mano de obra (hora)","Desplazamiento","Tóner negro","Cambio de aceite"],"it":["Sostituzione rubinetto","Manodopera (ora)","Uscita tecnico","Stampa volantini","Revisione impianto"],"nl":["Schilderwerk kozijnen","Arbeidsloon (uur)","Voorrijkosten","Printpapier","Plaatsen deur"],"pt":["Reparação elétrica","Mão de obra (hora)","Deslocação","Impressão de cartazes","Porta em pinho"]}
VATR = {"FR":200,"BE":210,"CH":81,"QC":0,"GB":200,"IE":230,"US":0,"CA":130,"DE":190,"ES":210,"IT":220,"NL":210,"PT":230}
def pct(t, c): 
    s = f"{t/10:g}"; return (s if c in ("GB","IE","US","CA","CH") else s.replace(".", ",")) + (NB if c in ("FR","DE","ES","QC") else "") + "%"
def invoice(r, lang, c, v):
    d = Doc("INVOICE", lang, c, v); L = {k: x[v % 3] for k, x in IL[lang].items()}
    co = company(r, lang, c); q = orgaddr(r, c); cu = person(r, lang, c); d.date = rdate(r, dt.date(2025,11,3), LAST)
    if d.date.weekday() == 6: d.date -= dt.timedelta(days=2)
    no = [f"{d.date:%Y}-{r.randint(12,989):04d}", f"F{d.date:%y%m}{r.randint(1,999):03d}", f"{r.choice('ABFR')}{r.choice('ACX')}-{digs(r,6)}", f"{r.randint(10200,98700)}"][(v + r.randint(0,1)) % 4]
    ds = dlong(d.date, lang, c) if v % 3 == 1 else dnum(d.date, c); due = d.date + dt.timedelta(days=r.choice([14,30,30,45])); dues = dlong(due, lang, c) if v % 3 == 1 else dnum(due, c)
    rows, net = [], 0
    for it in r.sample(ITEMS[lang], r.randint(2, 6 if lang in ("fr","en") else 4)):
        n = r.choice([1,1,2,3,4,6,8]); u = r.randint(900, 26500)//5*5; rows.append([it, str(n), mon(u, c, False), mon(n*u, c, False)]); net += n*u
    lines = []
    if c == "QC":
        tps, tvq = round(net*.05), (net*9975+50000)//100000; tot = net+tps+tvq; lines = [["TPS (5 %)", mon(tps,c)], ["TVQ (9,975 %)", mon(tvq,c)]]
    elif c == "US":
        tx = (net*725+5000)//10000; tot = net+tx; lines = [["Sales tax (7.25%)", mon(tx,c)]]
    else:
        rt = VATR[c]; tx = (net*rt+500)//1000; tot = net+tx; lines = [[f"{'HST' if c=='CA' else L['vat']} {pct(rt,c)}", mon(tx,c)]]
    d.checks.append(("sum", (net, tot)))
    acc = account(r, c); d.amounts = (net, tot)
    d.f("invoiceNumber", no, "docno"); d.f("issueDate", ds, "date", d.date); d.f("totalAmount", mon(tot, c), "amount", tot); d.f("issuer", co, "company")
    ib = acc.iban and (group4(acc.iban) if r.random() < .8 else acc.iban)
    if v % 3 == 2 and r.random() < .5: ib = None
    if ib: d.f("iban", ib, "iban"); d.checks.append(("iban", ib))
    d.person = cu; d.head(co, q.street, pcity(q), regline(r, lang, c, d))
    ref = [(L["no"], no), (L["dt"], ds), (L["due"], dues)]
    bank = [("IBAN", ib), ("BIC", acc.bic if ib else None)]
    totals = [[L["net"], mon(net, c)]] + lines + [[L["tot"], mon(tot, c)]]
    if v % 3 == 0:
        d.layout = "colon"; d.addr(fulltitle(cu), cu.street, pcity(cu)); d.title(L["t"]); d.kv(ref)
        d.table([L["desc"], L["q"], L["pu"], L["am"]], rows); d.table(None, totals, 1); d.kv([(L["pay"], acc.bank)]+bank)
    elif v % 3 == 1:
        d.layout = "under"; d.title(L["t"]); d.kv(ref + [(L["cust"], full(cu))], cols=4); d.lines(full(cu), cu.street, pcity(cu))
        d.table([L["desc"], L["q"], L["pu"], L["am"]], rows); d.table(None, totals, 1); d.kv([(L["pay"], acc.bank)]+bank, cols=3)
    else:
        d.layout = "table"; d.title(f"{L['t']} {no}"); d.kv(ref[1:] + [(L["cust"], f"{full(cu)}, {cu.street}, {pcity(cu)}")])
        d.table([L["desc"], L["q"], L["pu"], L["am"]], rows + [["", "", a, b] for a, b in totals], 1)
        if ib: d.kv([(L["pay"], acc.bank)]+bank)
    d.small({"fr":"En cas de retard de paiement, une pénalité au taux légal en vigueur est exigible. Pas d'escompte pour paiement anticipé.","en":"Please quote the invoice number with your payment. Goods remain our property until paid in full.","de":"Vielen Dank für Ihren Auftrag. Bitte geben Sie bei der Überweisung die Rechnungsnummer an.","es":"Gracias por su confianza. Indique el número de factura en la transferencia.","it":"Contributo ambientale assolto ove dovuto. Grazie per la fiducia.","nl":"Gelieve bij betaling het factuurnummer te vermelden.","pt":"Obrigado pela sua preferência. Processado por programa informático."}[lang])
    return d

# ------------------------------------------------------------------ PROOF_OF_ADDRESS
PL = {
 "fr": dict(t=["Votre facture","Facture de {u}","Avis d'échéance"], dt=["Date de facture","Facture du","Émise le"], cust=["Titulaire du contrat","Client","Abonné"], ref=["Référence client","N° de contrat","Compte"], site=["Lieu de consommation","Adresse d'installation","Point de livraison"], per=["Période facturée","Période","Du / au"], use=["Abonnement","Consommation","Services et options"], net=["Total HT","Hors taxes","Sous-total"], vat=["TVA","TVA","Taxes"], tot=["Montant à payer","Total TTC","À régler"], hi="Voici le détail de votre facture. Le montant sera prélevé sur votre compte à la date indiquée."),
 "en": dict(t=["Your bill","{u} bill","Statement of account"], dt=["Bill date","Date of bill","Statement date"], cust=["Account holder","Customer","Name"], ref=["Account number","Customer reference","Account"], site=["Supply address","Service address","Premises"], per=["Billing period","Period","From / to"], use=["Standing charge","Usage","Services"], net=["Total excl. tax","Subtotal","Charges"], vat=["VAT","Tax","VAT"], tot=["Amount due","Total to pay","New balance"], hi="Thank you for being our customer. We will collect the amount due by direct debit."),
 "de": dict(t=["Ihre Rechnung","{u}rechnung","Abschlagsrechnung"], dt=["Rechnungsdatum","Datum","Ausgestellt am"], cust=["Kunde","Vertragspartner","Kundin/Kunde"], ref=["Kundennummer","Vertragskonto","Vertragsnr."], site=["Verbrauchsstelle","Lieferadresse","Anschlussadresse"], per=["Zeitraum","Abrechnungszeitraum","Leistungszeitraum"], use=["Grundpreis","Verbrauch","Leistungen"], net=["Netto","Zwischensumme","Nettobetrag"], vat=["USt.","MwSt.","USt."], tot=["Zu zahlen","Rechnungsbetrag","Gesamtbetrag"], hi="Der Betrag wird von Ihrem Konto abgebucht."),
 "es": dict(t=["Su factura","Factura de {u}","Recibo"], dt=["Fecha de factura","Fecha de emisión","Emitida el"], cust=["Titular","Cliente","Titular del contrato"], ref=["N.º de contrato","Referencia","Cuenta"], site=["Dirección de suministro","Punto de suministro","Dirección"], per=["Periodo de facturación","Periodo","Del / al"], use=["Término fijo","Consumo","Servicios"], net=["Base imponible","Subtotal","Base"], vat=["IVA","IVA","IVA"], tot=["Total a pagar","Importe total","Total factura"], hi="El importe se cargará en su cuenta bancaria."),
 "it": dict(t=["La tua bolletta","Bolletta {u}","Fattura"], dt=["Data di emissione","Emessa il","Data fattura"], cust=["Intestatario","Cliente","Titolare"], ref=["Codice cliente","N. contratto","Utenza"], site=["Indirizzo di fornitura","Fornitura","Luogo di fornitura"], per=["Periodo","Periodo di fatturazione","Dal / al"], use=["Quota fissa","Consumi","Servizi"], net=["Imponibile","Subtotale","Imponibile"], vat=["IVA","IVA","IVA"], tot=["Totale da pagare","Importo totale","Totale bolletta"], hi="L'importo sarà addebitato sul conto corrente."),
 "nl": dict(t=["Uw factuur","Factuur {u}","Termijnnota"], dt=["Factuurdatum","Datum","Datum nota"], cust=["Klant","Contracthouder","Naam"], ref=["Klantnummer","Contractnr.","Rekening"], site=["Leveringsadres","Verbruiksadres","Adres"], per=["Periode","Factuurperiode","Van / tot"], use=["Vaste kosten","Verbruik","Diensten"], net=["Subtotaal","Excl. btw","Subtotaal"], vat=["btw","btw","btw"], tot=["Te betalen","Totaalbedrag","Totaal incl. btw"], hi="Het bedrag wordt automatisch van uw rekening afgeschreven."),
 "pt": dict(t=["A sua fatura","Fatura de {u}","Aviso de pagamento"], dt=["Data da fatura","Data de emissão","Emitida em"], cust=["Titular","Cliente","Nome"], ref=["N.º de cliente","Contrato","Conta"], site=["Local de consumo","Morada de fornecimento","Morada"], per=["Período","Período de faturação","De / a"], use=["Termo fixo","Consumo","Serviços"], net=["Total sem IVA","Subtotal","Base"], vat=["IVA","IVA","IVA"], tot=["Total a pagar","Valor a pagar","Total"], hi="O valor será debitado na sua conta.")}
def _months(d, k): 
    y, m = divmod(d.year*12 + d.month - 1 + k, 12); return dt.date(y, m+1, 1)
def poa(r, lang, c, v):
    d = Doc("PROOF_OF_ADDRESS", lang, c, v); p = person(r, lang, c); d.date = rdate(r, dt.date(2025,12,1), LAST); up = r.random() < .4
    if lang in ("fr","en") and v == 3: return rent(r, d, p, lang, c)
    L = {k: (x[v % 3] if isinstance(x, list) else x) for k, x in PL[lang].items()}
    u, kind = r.choice(UTIL[c]); q = orgaddr(r, c); ds = dnum(d.date, c) if v % 3 == 2 or r.random() < .3 else dlong(d.date, lang, c)
    d.who(p, up, upcity=up and v % 3 == 0); d.f("issueDate", ds, "date", d.date); d.f("issuer", u, "company")
    i0 = r.randint(1200, 64000); cons = r.randint(60, 900); meter = (["N° de compteur","Ancien relevé","Nouveau relevé","Consommation"] if lang == "fr" else ["Meter","Previous reading","Current reading","Units used"], [[digs(r, 9), str(i0), str(i0+cons), str(cons)]]) if lang in ("fr","en") and not kind.startswith("t") and r.random() < .8 else None
    calls = (["Ligne","Forfait","Données","Appels"] if lang == "fr" else ["Line","Plan","Data","Calls"], [["•••• " + digs(r, 4), r.choice(["Fibre 500","Mobile 80","Duo"]), f"{r.randint(2,140)} " + ("Go" if lang == "fr" else "GB"), f"{r.randint(0,9)} h {r.randint(10,59)}"]]) if lang in ("fr","en") and kind.startswith("t") else None
    a = _months(d.date, -1 if "l" in kind[:4] else -2); b = dt.date(d.date.year, d.date.month, 1) - dt.timedelta(days=1)
    n1, n2 = r.randint(900, 2900), r.randint(1800, 16500); net = n1+n2; rt = 50 if c in ("US",) else VATR[c] or 150; tx = (net*rt+500)//1000; tot = net+tx; d.checks.append(("sum", (net, tot)))
    vn = {"CA":"HST","US":"Tax","QC":"Taxes"}.get(c, L["vat"]); d.amounts = (net, tot)
    ref = " ".join([digs(r,3) for _ in range(3)]) if r.random() < .5 else digs(r, 10)
    nm = f"{p.title} {p.last.upper() if up else p.last} {p.first}" if lang == "fr" and r.random() < .4 else fulltitle(p, up)
    nm2 = nm
    tl = L["t"].format(u=kind); rows = [[L["use"], mon(n1, c)], [{"fr":"Consommation relevée","en":"Usage this period","de":"Arbeitspreis","es":"Consumo medido","it":"Consumi rilevati","nl":"Gemeten verbruik","pt":"Consumo medido"}[lang] if v % 3 != 1 else {"fr":"Abonnement et services","en":"Line and services","de":"Grundgebühr","es":"Cuota","it":"Canone","nl":"Abonnement","pt":"Assinatura"}[lang], mon(n2, c)], [L["net"], mon(net, c)], [f"{vn} {pct(rt,c)}", mon(tx, c)], [L["tot"], mon(tot, c)]]
    per = f"{dnum(a,c)} – {dnum(b,c)}"; al = [nm2, p.street, pcity(p, up and v % 3 == 0)]
    d.head(u, q.street, pcity(q), regline(r, lang, c, d))
    if v % 3 == 0:
        d.layout = "colon"; d.addr(*al); d.title(tl, ""); d.kv([(L["dt"], ds), (L["ref"], ref), (L["per"], per)]); d.p(L["hi"]); d.table(None, rows, 1)
    elif v % 3 == 1:
        d.layout = "under"; d.title(tl); d.kv([(L["cust"], nm2), (L["ref"], ref), (L["dt"], ds), (L["per"], per), (L["tot"], mon(tot,c))], cols=3); d.kv([(L["site"], f"{p.street}, {pcity(p)}")], cols=1); d.table(["", ""], rows, 1); d.small(L["hi"])
    else:
        d.layout = "table"; d.lines(*al); d.title(tl); d.kv([(L["ref"], ref), (L["dt"], ds), (L["cust"], nm2), (L["site"], f"{p.street} {pcity(p)}"), (L["per"], per)]); d.table(None, rows, 1)
    for m_ in (meter, calls):
        if m_: d.table(*m_)
    return d
def rent(r, d, p, lang, c):
    d.layout = "prose"; lo = person(r, lang, c); d.who(p); m = _months(d.date, 0); loyer, ch = r.randint(42, 148)*1000, r.randint(3, 16)*1000
    end = _months(m, 1) - dt.timedelta(days=1); d.date = min(LAST, m + dt.timedelta(days=r.randint(2, 8))); ds = dlong(d.date, lang, c); d.f("issueDate", ds, "date", d.date)
    ag = r.choice({"fr":["Agence Immo Beauséjour","Régie du Parc","Foncia-Lys Gestion"],"en":["Larch & Lowe Lettings","Elmfield Property Management","Harbourside Rentals"]}[lang]); d.f("issuer", ag, "company"); d.head(ag, street(r, c), pcity(orgaddr(r, c))); d.amounts = (loyer, loyer+ch)
    if lang == "fr":
        d.title("QUITTANCE DE LOYER", f"{MON['fr'][m.month-1]} {m.year}"); d.p(f"Nous soussignés, {ag}, mandataires de {fulltitle(lo)}, propriétaire du logement situé {p.street}, {pcity(p)}, déclarons avoir reçu de {fulltitle(p)} la somme de {mon(loyer+ch,c)} au titre du loyer et des charges pour la période du {dnum(m,c)} au {dnum(end,c)}, et lui en donnons quittance sous réserve de tous nos droits.")
        d.table(None, [["Loyer", mon(loyer,c)], ["Provision pour charges", mon(ch,c)], ["Total", mon(loyer+ch,c)]], 1); d.sig(f"Fait le {ds}", "Le gestionnaire")
    else:
        d.title("RENT RECEIPT", f"{MON['en'][m.month-1]} {m.year}"); d.p(f"This is to confirm that {ag}, acting for {fulltitle(lo)}, received from {fulltitle(p)} the sum of {mon(loyer+ch,c)} as rent and service charge for the dwelling at {p.street}, {pcity(p)}, for the period {dnum(m,c)} to {dnum(end,c)}.")
        d.table(None, [["Rent", mon(loyer,c)], ["Service charge", mon(ch,c)], ["Total received", mon(loyer+ch,c)]], 1); d.sig(f"Issued on {ds}", "For the landlord")
    return d

# ------------------------------------------------------------------ BANK_DETAILS
def bank(r, lang, c, v):
    d = Doc("BANK_DETAILS", lang, c, v); p = person(r, lang, c); a = account(r, c); d.date = rdate(r, dt.date(2026,1,5), LAST); q = orgaddr(r, c); d.person = p
    up = r.random() < .5; h = (f"{p.title} {p.last.upper()} {p.first}" if v == 1 and lang == "fr" else fulltitle(p, up)); biz = r.random() < .2
    if biz: h = company(r, lang, c)
    d.f("accountHolder", h, "holder" if not biz else "company"); d.f("bic", a.bic, "bic"); ib = a.iban and (group4(a.iban) if v != 3 else a.iban)
    if ib: d.f("iban", ib, "iban"); d.checks.append(("iban", ib))
    ds = dnum(d.date, c); d.head(a.bank, q.street, pcity(q)); adr = [h, p.street, pcity(p)]
    if lang == "fr":
        dom = f"{a.bank} {q.city}"
        if v == 0:
            d.layout = "table"; d.title("RELEVÉ D'IDENTITÉ BANCAIRE", "Ce relevé est destiné à être remis, sur leur demande, à vos créanciers ou débiteurs.")
            if c == "FR": d.table(["Code banque","Code guichet","N° de compte","Clé RIB","Domiciliation"], [[a.code, a.guichet, a.acc, a.cle, dom]])
            elif not ib: d.table(["Institution","Transit","N° de compte"], [[a.code, a.transit, a.acc]])
            d.kv([("IBAN", ib), ("Code BIC", a.bic), ("Titulaire du compte", h)]); d.lines(*adr[1:])
        elif v == 1:
            d.layout = "under"; d.title("Vos coordonnées bancaires", f"Édité le {ds}"); d.kv([("Titulaire", h), ("Identifiant international de compte (IBAN)", ib), ("BIC / SWIFT", a.bic), ("Agence", dom), ("Compte", "Compte courant" if ib else f"{a.transit}-{a.code}-{a.acc}")], cols=2); d.small("Document généré depuis votre espace client. Il ne nécessite pas de signature.")
        elif v == 2:
            d.layout = "prose"; d.addr(*adr); d.title("Attestation de compte"); d.p(f"{q.city}, le {dlong(d.date, lang, c)}", f"Nous attestons que {h} est titulaire dans nos livres d'un compte de dépôt ouvert à l'agence de {q.city}.", (f"Les références de ce compte sont les suivantes : IBAN {ib}, code BIC {a.bic}." if ib else f"Le compte porte le numéro {a.acc}, transit {a.transit}, institution {a.code} (code SWIFT {a.bic})."), "La présente attestation est délivrée pour servir et valoir ce que de droit."); d.sig("Service clientèle", "Le directeur d'agence")
        else:
            d.layout = "colon"; d.title("RIB"); d.lines(*adr); d.kv([("IBAN", ib), ("BIC", a.bic), ("Domiciliation", dom), ("Date d'édition", ds)] + ([] if ib else [("Folio", a.acc)]))
    else:
        if v == 0:
            d.layout = "table"; d.title("Account details", f"Printed on {ds}"); d.kv([("Account name", h), ("Sort code", getattr(a,"sort",None) and "-".join([a.sort[:2],a.sort[2:4],a.sort[4:]])), ("Account number", a.acc), ("Routing / transit", None if ib else (a.transit if c=="CA" else a.code+"024")), ("IBAN", ib), ("BIC (SWIFT)", a.bic)])
        elif v == 1:
            d.layout = "under"; d.title("Payment details for this account"); d.kv([("Account holder", h), ("IBAN", ib), ("SWIFT/BIC", a.bic), ("Bank", a.bank), ("Account no.", a.acc), ("Generated", ds)], cols=2); d.small("Share these details with anyone who needs to pay you. Never share your PIN or passcode.")
        elif v == 2:
            d.layout = "prose"; d.addr(*adr); d.p(dlong(d.date, lang, c)); d.title("Confirmation of bank account"); d.p("To whom it may concern", f"We confirm that {h} holds a current account with {a.bank}, opened at our {q.city} branch. " + (f"The international account number (IBAN) is {ib} and the bank identifier code is {a.bic}." if ib else f"The account number is {a.acc} and the SWIFT code of the bank is {a.bic}."), "This letter is issued at the customer's request and without liability on the part of the bank."); d.sig("Yours faithfully", "Branch Manager")
        else:
            d.layout = "colon"; d.title("DIRECT DEPOSIT FORM" if not ib else "Statement header – account summary"); d.lines(*adr); d.kv([("Name on account", h), ("Account", a.acc), ("IBAN", ib), ("BIC", a.bic), ("Statement date", ds)]); b0 = r.randint(20000, 400000); o = r.randint(3000, 90000); i = r.randint(5000, 250000); d.table(["", ""], [["Opening balance", mon(b0,c)], ["Paid in", mon(i,c)], ["Paid out", mon(-o,c)], ["Closing balance", mon(b0+i-o,c)]], 1)
    return d

# ------------------------------------------------------------------ PAYSLIP
def payslip(r, lang, c, v):
    d = Doc("PAYSLIP", lang, c, v); p = person(r, lang, c); m = _months(dt.date(2026,11,1), -r.randint(1, 9)); end = _months(m, 1) - dt.timedelta(days=1); d.date = end
    co = company(r, lang, c); q = orgaddr(r, c); up = v in (0, 3); d.who(p, up, addr=("postCode","city")); gross = r.randint(1950, 5400)*100 + r.choice([0, 0, 35, 50])
    d.fields.pop("address", None); jobs = {"fr":["Technicien de maintenance","Assistante de gestion","Comptable","Chargé de clientèle","Infirmier","Conducteur de travaux"],"en":["Warehouse Supervisor","Accounts Assistant","Care Worker","Software Tester","Sales Adviser"]}[lang]
    def rate(x, base=None): return ((base or gross)*x + 5000)//10000
    ded = []
    if c == "FR": ded = [("Santé – maladie et AT", gross, 0), ("Vieillesse plafonnée", min(gross, 400500), 690), ("Vieillesse déplafonnée", gross, 40), ("Retraite complémentaire T1", min(gross,400500), 401), ("CSG déductible", rate(9825), 680), ("CSG/CRDS non déductible", rate(9825), 290)]
    elif c == "BE": ded = [("ONSS travailleur", gross, 1307), ("Précompte professionnel", gross, 1850), ("Cotisation spéciale", gross, 90)]
    elif c == "CH": ded = [("AVS/AI/APG", gross, 530), ("AC", gross, 110), ("LPP", gross, 645), ("AANP", gross, 120)]
    elif c in ("QC",): ded = [("Impôt provincial", gross, 1140), ("Impôt fédéral", gross, 870), ("RRQ", gross, 640), ("RQAP", gross, 49), ("Assurance-emploi", gross, 132)]
    elif c == "GB": ded = [("PAYE tax", gross-104750, 2000), ("National Insurance", gross-104800, 800), ("Pension (5%)", gross, 500)]
    elif c == "IE": ded = [("PAYE", gross, 1480), ("PRSI", gross, 420), ("USC", gross, 240)]
    elif c == "US": ded = [("Federal income tax", gross, 1120), ("Social Security", gross, 620), ("Medicare", gross, 145), ("State income tax", gross, 430)]
    else: ded = [("Federal tax", gross, 1210), ("Provincial tax", gross, 640), ("CPP", gross, 545), ("EI", gross, 164)]
    ded = [(n, b, x, rate(x, b)) for n, b, x in ded if x]; td = sum(x[3] for x in ded); net = gross - td
    d.checks.append(("sum", (net, gross))); extra = []
    if c == "FR" : pas = rate(r.choice([150,210,350,530,750]), net + 0); 
    else: pas = 0
    fin = net - pas; d.f("netAmount", mon(fin, c) if v != 2 or lang == "en" else mon(fin, c), "amount", fin); d.amounts = (gross, fin)
    per = f"{MON[lang][m.month-1]} {m.year}"; ssn = {"FR": nir(r,p), "BE": niss(r,p), "CH": avs(r), "QC": sin(r), "GB": nino(r), "IE": ppsn(r), "US": f"XXX-XX-{digs(r,4)}", "CA": sin(r)}[c]
    sl = {"FR":"N° de sécurité sociale","BE":"Registre national","CH":"N° AVS","QC":"NAS","GB":"NI number","IE":"PPS number","US":"SSN","CA":"SIN"}[c]; matr = f"{r.randint(100,99999):05d}"; hire = rdate(r, max(dt.date(2008,1,1), p.dob.replace(day=1) + dt.timedelta(days=366*19)), dt.date(2025,12,1))
    name = f"{p.title} {p.last.upper() if up else p.last} {p.first}" if lang == "fr" and v % 2 == 0 else fulltitle(p, up); alines = [name, p.street, pcity(p)]
    d.head(co, q.street, pcity(q), regline(r, lang, c, d)); job = r.choice(jobs); pay = dnum(end, c)
    if lang == "fr":
        T = ["BULLETIN DE PAIE","Bulletin de salaire","Fiche de paie","BULLETIN DE PAYE"][v]; NL_ = ["Net à payer","NET PAYÉ","Net versé sur votre compte","NET À PAYER AU SALARIÉ"][v]
        rows = [["Salaire de base", mon(gross,c,False), "", mon(gross,c,False)]] + [[n, mon(b,c,False), pct(x/10,c), "-"+mon(y,c,False)] for n,b,x,y in ded]
        tot = [["Salaire brut", mon(gross,c)], ["Total des retenues", mon(td,c)]] + ([["Net avant impôt sur le revenu", mon(net,c)], ["Impôt sur le revenu prélevé à la source", mon(pas,c)]] if c == "FR" else []) + [[NL_, mon(fin,c)]]
        H = ["Rubrique","Base","Taux","Montant"]
        if v == 0: d.layout = "colon"; d.title(T, f"Période : {per}"); d.kv([("Matricule", matr), (sl, ssn), ("Emploi", job), ("Date d'entrée", dnum(hire,c)), ("Paiement le", pay)]); d.addr(*alines); d.table(H, rows); d.table(None, tot, 1)
        elif v == 1: d.layout = "under"; d.title(T); d.kv([("Salarié", name), ("Matricule", matr), ("Période", per), (sl, ssn), ("Emploi", job), ("Date de paiement", pay)], cols=3); d.lines(p.street, pcity(p)); d.table(H, rows + [["","",a,b] for a,b in tot], 1)
        elif v == 2: d.layout = "table"; d.addr(*alines); d.title(f"{T} – {per}"); d.kv([("Emploi", job), (sl, ssn), ("Ancienneté depuis le", dnum(hire,c))]); d.table(H, rows); d.table(None, tot, 1); d.small("Dans votre intérêt, et pour vous aider à faire valoir vos droits, conservez ce bulletin sans limitation de durée.")
        else: d.layout = "none"; d.lines(T, per, matr + " " + ssn); d.lines(*alines); d.table(None, [[x[0], x[-1]] for x in rows] + tot, 1); d.lines(f"Virement du {pay}")
    else:
        T = ["PAYSLIP","Pay Advice","Earnings Statement","PAY STATEMENT"][v]; NL_ = ["Net pay","NET PAY","Take-home pay","Net Amount Paid"][v]
        tot = [["Total gross", mon(gross,c)], ["Total deductions", mon(td,c)], [NL_, mon(fin,c)]]
        if v == 0: d.layout = "colon"; d.title(T, f"Pay period: {per}"); d.addr(*alines); d.kv([("Employee no.", matr), (sl, ssn), ("Pay date", pay)] + ([("Tax code", "1257L")] if c=="GB" else [])); d.table(["Payments","Amount","Deductions","Amount"], [["Basic salary", mon(gross,c,False), ded[0][0], mon(ded[0][3],c,False)]] + [["", "", n, mon(y,c,False)] for n,b,x,y in ded[1:]]); d.table(None, tot, 1)
        elif v == 1: d.layout = "under"; d.title(T); d.kv([("Employee", name), ("Employee ID", matr), ("Pay date", pay), ("Department", job), (sl, ssn), (NL_, mon(fin,c))], cols=3); d.table(["Description","Amount"], [["Salary", mon(gross,c)]] + [[n, mon(-y,c)] for n,b,x,y in ded] + [[NL_, mon(fin,c)]], 1); d.lines(p.street, pcity(p))
        elif v == 2: d.layout = "table"; d.title(T); d.kv([("Name", name), ("Address", f"{p.street}, {pcity(p)}"), ("Period", per), ("Paid on", pay), (sl, ssn)]); d.table(["Earnings & deductions","This period"], [["Regular pay", mon(gross,c)]] + [[n, mon(-y,c)] for n,b,x,y in ded] + tot, 1)
        else: d.layout = "none"; d.lines(per, pay, ssn); d.lines(*alines); d.table(None, [["Gross", mon(gross,c)]] + [[n, mon(y,c)] for n,b,x,y in ded] + [[NL_, mon(fin,c)]], 1)
    if r.random() < .65:
        ac, pr = r.randint(8, 28), r.randint(0, 8); d.table(["Congés","Acquis","Pris","Solde"] if lang == "fr" else ["Leave","Earned","Taken","Balance"], [[str(m.year), str(ac), str(pr), str(ac-pr)]])
    if r.random() < .5: k = r.randint(1, m.month); d.table(["Cumuls","Brut","Net"] if lang == "fr" else ["Year to date","Gross","Net"], [[f"{m.year}", mon(gross*m.month,c,False), mon(fin*m.month,c,False)]])
    return d

# ------------------------------------------------------------------ TAX_NOTICE
def tax(r, lang, c, v):
    d = Doc("TAX_NOTICE", lang, c, v); p = person(r, lang, c); d.date = rdate(r, dt.date(2026,7,15), dt.date(2026,11,12)); up = r.random() < .6; d.who(p, up, upcity=up); y = 2025
    inc = r.randint(16000, 78000); q = orgaddr(r, c); ds = dnum(d.date, c) if v != 1 else dlong(d.date, lang, c)
    al = [f"{p.title} {p.last.upper() if up else p.last} {p.first}" if lang == "fr" and v != 1 else fulltitle(p, up), p.street, pcity(p, up)]
    if lang == "fr":
        rfr = inc*9//10 if c == "FR" else inc; t = rfr*r.randint(40, 170)//1000*100
        b = r.choice("0123") + digs(r, 9); nf = b + "%03d" % (int(b) % 511); no = {"FR": f"26 {r.randint(10,95)} {digs(r,7)} {r.randint(10,99)}", "BE": f"7{digs(r,8)}", "CH": f"{digs(r,3)}.{digs(r,4)}.{digs(r,2)}", "QC": f"{lets(r,1)}{digs(r,6)}-26"}[c]
        auth = {"FR":"Direction des impôts des particuliers","BE":"Service public des Finances","CH":"Administration cantonale des impôts","QC":"Agence du revenu provinciale"}[c]
        T = {"FR":["AVIS D'IMPÔT 2026","Avis d'impôt sur les revenus de 2025","Avis de situation déclarative","AVIS D'IMPOSITION"],"BE":["AVERTISSEMENT-EXTRAIT DE RÔLE","Avertissement-extrait de rôle","Note de calcul","EXTRAIT DE RÔLE"],"CH":["DÉCISION DE TAXATION","Décision de taxation 2025","Bordereau d'impôt","DÉCOMPTE FINAL"],"QC":["AVIS DE COTISATION","Avis de cotisation 2025","État de compte fiscal","COTISATION"]}[c][v]
        TL = {0:"Montant de l'impôt",1:"Impôt total dû",2:"Somme à payer",3:"Total"}[v]; NLb = {0:"Référence de l'avis",1:"N° de l'avis",2:"Référence",3:"Réf."}[v]
        d.f("totalAmount", mon(t,c), "amount", t); d.f("documentNumber", no, "docno"); d.head(auth, f"Centre de {q.city}", pcity(q))
        rows = [["Salaires et assimilés", mon(inc*100,c)], ["Revenu imposable", mon(rfr*100,c)], [TL, mon(t,c)]]; d.amounts = (inc*100, t); idn = ("N° fiscal", f"{nf[:2]} {nf[2:4]} {nf[4:7]} {nf[7:10]} {nf[10:]}") if c == "FR" else ("N° contribuable", digs(r, 9))
        if v == 0: d.layout = "colon"; d.kv([idn, (NLb, no), ("Établi le", ds)]); d.addr(*al); d.title(T, "Impôt et prélèvements sur les revenus de 2025"); d.table(None, rows, 1)
        elif v == 1: d.layout = "under"; d.title(T); d.addr(*al); d.kv([(NLb, no), idn, ("Date d'établissement", ds), (TL, mon(t,c))], cols=2); d.table(["Détail","Montant"], rows, 1)
        elif v == 2: d.layout = "table"; d.title(T); d.kv([("Déclarant", al[0]), ("Adresse", f"{p.street} {pcity(p,up)}"), (NLb, no), idn, ("Nombre de parts", "1,5"), ("Émis le", ds)]); d.table(["Rubrique","Montant"], rows, 1)
        else: d.layout = "none"; d.lines(*al); d.title(T); d.lines(f"{NLb} {no}", ds); d.p(f"Pour l'année 2025, votre revenu imposable s'élève à {mon(rfr*100,c)} et votre impôt à {mon(t,c)}.")
        d.small("Pour toute question, adressez-vous à votre centre en rappelant vos références. Cet avis fait foi auprès des organismes qui le demandent.")
    else:
        fed = inc*r.randint(90, 190)//1000*100; no = {"GB": f"{digs(r,5)} {digs(r,5)}", "IE": f"{ppsn(r)}-{digs(r,5)}N", "US": f"CP{r.choice(['21B','14','22A'])}-{digs(r,8)}", "CA": f"{lets(r,3)}{digs(r,5)}{lets(r,1)}"}[c]
        auth = {"GB":"Office of Revenue and Taxes","IE":"Office of the Collector-General","US":"Department of Revenue","CA":"Canada Tax Centre"}[c]
        T = {"GB":["Tax calculation 2025-26","Self Assessment statement","Simple Assessment","STATEMENT"],"IE":["Statement of Liability 2025","Notice of Assessment","Tax Balancing Statement","ASSESSMENT"],"US":["Notice of Tax Due","Notice of assessment","Account notice","NOTICE"],"CA":["Notice of assessment","Notice of Reassessment","Tax Assessment","ASSESSMENT"]}[c][v]
        NLb = ["Reference","Notice number","Document no.","Ref"][v]; TL = ["Total tax due","Amount you owe","Balance payable","Total payable"][v]; d.f("totalAmount", mon(fed,c), "amount", fed); d.f("documentNumber", no, "docno"); d.head(auth, f"{q.city} office", pcity(q)); d.amounts = (inc*100, fed)
        pa = min(inc*100, 1257000); rows = [["Total income received", mon(inc*100,c)], ["Allowances", mon(pa,c)], ["Taxable income", mon(inc*100-pa,c)], [TL, mon(fed,c)]]
        if v == 0: d.layout = "colon"; d.addr(*al); d.kv([(NLb, no), ("Date", ds), ("Tax year", "2025")]); d.title(T); d.p("We have worked out your tax from the information we hold. Please check that it is correct."); d.table(None, rows, 1)
        elif v == 1: d.layout = "under"; d.addr(*al); d.title(T); d.kv([(NLb, no), ("Date issued", ds), ("Tax year", "2025"), (TL, mon(fed,c))], cols=2); d.table(["Line","Amount"], rows, 1)
        elif v == 2: d.layout = "table"; d.title(T); d.kv([("Taxpayer", al[0]), ("Address", f"{p.street}, {pcity(p,up)}"), (NLb, no), ("Issued", ds)]); d.table(["Summary","Amount"], rows, 1)
        else: d.layout = "prose"; d.lines(*al); d.title(T, f"{NLb} {no}"); d.p(f"{ds}", f"Dear {p.title} {p.last.upper() if up else p.last},", f"Following our review of your return for 2025, your income was assessed at {mon(inc*100,c)} and the amount payable is {mon(fed,c)}. Please pay within 30 days of the date of this notice.")
    return d

# ------------------------------------------------------------------ COMPANY_REGISTRATION
def coreg(r, lang, c, v):
    d = Doc("COMPANY_REGISTRATION", lang, c, v); co = company(r, lang, c); base = co
    q = orgaddr(r, c); d.date = rdate(r, dt.date(2026,2,2), LAST); ma = person(r, lang, c); inc = rdate(r, dt.date(1998,1,1), dt.date(2025,6,1)); d.person = ma
    sn = siren(r); be = bevat(r); num = {"FR": f"{sn[:3]} {sn[3:6]} {sn[6:]}", "BE": f"{be[:4]}.{be[4:7]}.{be[7:]}", "CH": cheuid(r), "QC": "11"+digs(r,8), "GB": f"{r.randint(3000000,14999999):08d}", "IE": digs(r,6), "US": digs(r,7), "CA": f"{digs(r,6)}-{r.randint(1,9)}"}[c]
    if c == "FR": d.checks.append(("luhn", sn))
    d.f("companyName", co.upper() if v == 0 else co, "company", co); d.f("registrationNumber", num, "docno"); d.f("address", q.street, "addr"); d.f("postCode", q.pc, "code"); d.f("city", q.city, "city"); cn = d.fields["companyName"]; ds = dlong(d.date, lang, c); cap = mon(r.choice([1000,5000,8000,10000,50000])*100, c)
    if lang == "fr":
        g = {"FR":f"Greffe du tribunal de commerce de {q.city}","BE":"Banque de données des entreprises","CH":f"Registre du commerce – {q.city}","QC":"Registre des entreprises"}[c]; NLb = {"FR":"Immatriculation au RCS","BE":"Numéro d'entreprise","CH":"Numéro IDE","QC":"Numéro d'entreprise (NEQ)"}[c]; full_no = f"{num} R.C.S. {q.city}" if c == "FR" else num
        d.head(g, f"N° de gestion {inc.year} B {digs(r,5)}")
        if v == 0: d.layout = "table"; d.title("EXTRAIT KBIS" if c == "FR" else "EXTRAIT DU REGISTRE", f"À jour au {ds}"); d.kv([(NLb+", numéro" if c=="FR" else NLb, full_no), ("Date d'immatriculation", dnum(inc,c)), ("Dénomination ou raison sociale", cn), ("Forme juridique", co.split()[-1]), ("Capital social", cap), ("Adresse du siège", f"{q.street} {pcity(q)}"), ("Durée", "99 ans")], "IDENTIFICATION DE LA PERSONNE MORALE"); d.kv([("Nom, prénoms", f"{ma.last.upper()} {ma.first}"), ("Date de naissance", dnum(ma.dob,c))], "GESTION, DIRECTION"); d.small("Le greffier – Fin de l'extrait")
        elif v == 1: d.layout = "under"; d.title("Avis de situation", cn); d.kv([("Dénomination", cn), (NLb, num), ("Siège", f"{q.street}, {pcity(q)}"), ("Dirigeant", full(ma)), ("Création", dnum(inc,c)), ("État", "Active"), ("Édité le", dnum(d.date,c))], cols=2)
        elif v == 2: d.layout = "colon"; d.title("Certificat d'inscription au registre"); d.kv([("Raison sociale", cn), (NLb, num), ("Siège social", q.street), ("Localité", pcity(q)), ("Capital", cap), ("Représentant légal", full(ma)), ("Inscription", dnum(inc,c))]); d.sig(f"Délivré le {ds}", "Le préposé au registre")
        else: d.layout = "prose"; d.title("Attestation d'immatriculation"); d.p(f"Le préposé au registre certifie que la société {cn}, dont le siège est établi {q.street}, {pcity(q)}, est inscrite sous le numéro {num} depuis le {dlong(inc,lang,c)}. Elle est représentée par {fulltitle(ma)}.", f"Fait à {q.city}, le {ds}.")
    else:
        g = {"GB":"Registrar of Companies","IE":"Companies Registry Office","US":f"Secretary of State – {q.state}","CA":"Corporations Directorate"}[c]; d.head(g, "Company information service"); NLb = {"GB":"Company number","IE":"Company number","US":"File number","CA":"Corporation number"}[c]
        if v == 0: d.layout = "table"; d.title("COMPANY EXTRACT", f"Current at {ds}"); d.kv([("Company name", cn), (NLb, num), ("Incorporated on", dnum(inc,c)), ("Registered office", f"{q.street}, {pcity(q)}"), ("Status", "Active"), ("Director", f"{ma.last.upper()}, {ma.first}")])
        elif v == 1: d.layout = "under"; d.title(cn, "Company overview"); d.kv([(NLb, num), ("Registered office address", f"{q.street}, {pcity(q)}"), ("Company status", "Active"), ("Incorporated", dlong(inc,lang,c)), ("Officer", full(ma)), ("Printed", dnum(d.date,c))], cols=2)
        elif v == 2: d.layout = "prose"; d.title("CERTIFICATE OF GOOD STANDING"); d.p(f"I hereby certify that {cn} was incorporated on {dlong(inc,lang,c)} under number {num}, that its registered office is at {q.street}, {pcity(q)}, and that according to the records it is in existence at the date of this certificate."); d.sig(f"Given on {ds}", "for the Registrar")
        else: d.layout = "colon"; d.title("Register report"); d.kv([(NLb, num), ("Name", cn), ("Type", co.split()[-1]), ("Address", q.street), ("Town", pcity(q)), ("Secretary", full(ma)), ("Date of report", dnum(d.date,c))])
    d.amounts = None; return d

# ------------------------------------------------------------------ INSURANCE_CERTIFICATE
def insur(r, lang, c, v):
    d = Doc("INSURANCE_CERTIFICATE", lang, c, v); p = person(r, lang, c); ins = r.choice(INSUR[lang]); d.date = rdate(r, dt.date(2026,1,2), LAST); up = r.random() < .4; showaddr = v != 2 or r.random() < .5
    pol = [f"{digs(r,8)} {r.choice('ABK')}", f"{lets(r,2)}-{digs(r,7)}", f"{digs(r,3)}.{digs(r,3)}.{digs(r,3)}", f"{lets(r,3)}{digs(r,9)}"][(v + r.randint(0,1)) % 4]
    d.who(p, up, addr=("postCode","city") if showaddr else ()); d.f("policyNumber", pol, "docno"); d.f("issuer", ins, "company"); q = orgaddr(r, c); a = d.date.replace(day=1); b = a.replace(year=a.year+1) - dt.timedelta(days=1); ds = dlong(d.date, lang, c); d.amounts = None
    nm = fulltitle(p, up); plate = f"{lets(r,2)}-{digs(r,3)}-{lets(r,2)}"; d.head(ins, q.street, pcity(q), regline(r, lang, c, d)); car = r.choice(["Peugeot 308","Renault Clio","Skoda Octavia","Toyota Yaris","Ford Focus"]); per = f"{dnum(a,c)} – {dnum(b,c)}"
    if lang == "fr":
        if v == 0: d.layout = "prose"; d.addr(nm, p.street, pcity(p)); d.title("ATTESTATION D'ASSURANCE HABITATION"); d.p(f"Nous soussignés {ins} certifions que {nm} est titulaire du contrat n° {pol} garantissant sa responsabilité civile et le logement situé {p.street}, {pcity(p)}.", f"Cette attestation est valable du {dnum(a,c)} au {dnum(b,c)}, sous réserve du paiement des cotisations."); d.sig(f"Fait le {ds}", "Le directeur général")
        elif v == 1: d.layout = "under"; d.title("Attestation d'assurance automobile"); d.kv([("Assuré", nm), ("N° de contrat", pol), ("Véhicule", car), ("Immatriculation", plate), ("Période de validité", per), ("Assureur", ins)], cols=2); d.lines(nm, p.street, pcity(p)); d.small(f"Document édité le {ds}. Présentation exigible par les autorités.")
        elif v == 2: d.layout = "table"; d.title("Attestation de responsabilité civile"); d.kv([("Police", pol), ("Souscripteur", nm)] + ([("Domicile", f"{p.street}, {pcity(p)}")] if showaddr else []) + [("Valable", per), ("Somme assurée", mon(r.choice([500000,1000000,5000000])*100,c))]); d.sig(f"Établi le {ds}", "Pour la compagnie")
        else: d.layout = "colon"; d.title("CERTIFICAT D'ASSURANCE"); d.kv([("Numéro de police", pol), ("Nom", p.last.upper() if up else p.last), ("Prénom", p.first), ("Adresse", p.street), ("Localité", pcity(p)), ("Prise d'effet", dnum(a,c)), ("Échéance", dnum(b,c))])
    else:
        if v == 0: d.layout = "table"; d.title("CERTIFICATE OF MOTOR INSURANCE"); d.kv([("Policy number", pol), ("Policyholder", nm), ("Registration mark", plate.replace("-", "")[:7]), ("Effective date", dnum(a,c)), ("Expiry date", dnum(b,c))]); d.lines(nm, p.street, pcity(p)); d.small(f"{ins} – issued {ds}. We certify that the policy satisfies the requirements of the relevant law.")
        elif v == 1: d.layout = "under"; d.title("Proof of cover"); d.kv([("Insured", nm), ("Policy no.", pol), ("Cover", "Buildings and contents"), ("Period of insurance", per), ("Insured address", f"{p.street}, {pcity(p)}"), ("Issued", ds)], cols=2)
        elif v == 2: d.layout = "colon"; d.title("Certificate of Liability Insurance"); d.kv([("Policy", pol), ("Named insured", nm)] + ([("Mailing address", p.street), ("", pcity(p))] if showaddr else []) + [("Policy period", per), ("Each occurrence", mon(100000000,c)), ("Date issued", ds)])
        else: d.layout = "prose"; d.addr(nm, p.street, pcity(p)); d.p(ds); d.title("Confirmation of insurance"); d.p(f"Dear {p.title} {p.last.upper() if up else p.last},", f"Thank you for insuring your home with {ins}. Your policy {pol} runs from {dlong(a,lang,c)} to {dlong(b,lang,c)}. Please keep this letter as evidence of your cover."); d.sig("Yours sincerely", "Customer Service Team")
    return d

# ------------------------------------------------------------------ VEHICLE_REGISTRATION
CARS = [("PEUGEOT","308"),("RENAULT","CLIO V"),("CITROEN","C3"),("VOLKSWAGEN","GOLF"),("TOYOTA","YARIS"),("SKODA","OCTAVIA"),("DACIA","SANDERO"),("FORD","FOCUS")]
def vehicle(r, lang, c, v):
    d = Doc("VEHICLE_REGISTRATION", lang, c, v); p = person(r, lang, c); d.date = rdate(r, dt.date(2017,1,5), dt.date(2026,11,6)); first = rdate(r, d.date - dt.timedelta(days=2500), d.date); up = v != 1; d.amounts = None
    plate = {"FR": f"{lets(r,2)}-{digs(r,3)}-{lets(r,2)}","BE": f"{r.choice('12')}-{lets(r,3)}-{digs(r,3)}","CH": f"{r.choice(['VD','GE','FR','NE'])} {digs(r,6)}","QC": f"{lets(r,1)}{digs(r,2)} {lets(r,3)}","GB": f"{lets(r,2)}{r.choice(['17','68','19','70','22','73'])} {lets(r,3)}","IE": f"{first:%y}{r.choice('12')}-{r.choice(['D','C','G'])}-{r.randint(100,39999)}","US": f"{digs(r,3)} {lets(r,3)}","CA": f"{lets(r,4)} {digs(r,3)}"}[c]
    if c == "GB": plate = f"{lets(r,2)}{first:%y} {lets(r,3)}" if first.month in range(3,9) else f"{lets(r,2)}{(first.year-(first.month<3))%100+50} {lets(r,3)}"
    w = vin(r); mk, md = r.choice(CARS); ds = dnum(d.date, c); d.who(p, up, upcity=up); d.f("registrationNumber", plate, "plate"); d.f("issueDate", ds, "date", d.date); n1, f1 = (p.last.upper() if up else p.last), p.first; cty = pcity(p, up); form = f"{d.date.year}{lets(r,2)}{digs(r,5)}"
    if lang == "fr":
        auth = {"FR":"Certificat d'immatriculation","BE":"Certificat d'immatriculation","CH":"Permis de circulation","QC":"Certificat d'immatriculation"}[c]; st = {"FR":"République française","BE":"Royaume de Belgique","CH":"Confédération suisse","QC":"Gouvernement du Québec"}[c]
        if v == 0: d.layout = "colon"; d.head(st, auth); d.title(auth.upper()); d.kv([("A", plate), ("B", dnum(first,c)), ("C.1", f"{n1} {f1}"), ("C.4a", "EST LE PROPRIÉTAIRE DU VÉHICULE"), ("C.3", f"{p.street}"), ("", cty), ("D.1", mk), ("D.3", md), ("E", w), ("F.2", str(r.randint(1200,2200))), ("I", ds), ("J.1", "VP"), ("P.3", r.choice(["ES","GO","EH"])), ("S.1", "5")]); d.small(f"N° de formule {form}")
        elif v == 1: d.layout = "table"; d.head(st, "Service des immatriculations"); d.title(auth, "Copie du titre"); d.kv([("Numéro d'immatriculation (A)", plate), ("Titulaire – nom (C.1.1)", n1), ("Titulaire – prénom (C.1.2)", f1), ("Adresse (C.1.3)", p.street), ("Code postal et localité", cty), ("Marque (D.1)", mk), ("Type commercial (D.3)", md), ("N° de châssis (E)", w), ("Date du certificat (I)", ds)])
        elif v == 2: d.layout = "under"; d.head(st, auth); d.title(f"{auth} provisoire"); d.kv([("Immatriculation", plate), ("Date de délivrance", ds), ("Nom et prénom", f"{n1} {f1}"), ("Adresse", f"{p.street}"), ("Commune", cty), ("Véhicule", f"{mk} {md}"), ("VIN", w), ("1re mise en circulation", dnum(first,c))], cols=2); d.small("Ce document permet de circuler pendant un mois à compter de la date de délivrance.")
        else: d.layout = "none"; d.head(st); d.lines(plate, ds); d.lines(f"{n1} {f1}", p.street, cty); d.lines(f"{mk} {md}", w); d.lines(form)
    else:
        st = {"GB":"Vehicle Licensing Office","IE":"Motor Tax Office","US":f"Department of Motor Vehicles – {p.state}","CA":f"Motor Vehicle Branch – {p.state}"}[c]
        if v == 0: d.layout = "table"; d.head(st); d.title({"GB":"Registration Certificate (log book)","IE":"Vehicle Registration Certificate"}.get(c, "VEHICLE REGISTRATION CARD")); d.kv([("A  Registration number", plate), ("B  Date of first registration", dnum(first,c)), ("I  Date of issue", ds), ("D.1  Make", mk), ("D.3  Model", md), ("E  VIN", w), ("C.1  Registered keeper" if c in ("GB","IE") else "Owner", f"{f1} {n1}"), ("Address", p.street), ("", cty)])
        elif v == 1: d.layout = "under"; d.head(st, "Online services"); d.title("Vehicle record"); d.kv([("Registration", plate), ("Issued", ds), ("Keeper", f"{p.title} {f1} {n1}"), ("Address", f"{p.street}, {cty}"), ("Make and model", f"{mk} {md}"), ("VIN", w), ("First registered", dnum(first,c))], cols=3)
        elif v == 2: d.layout = "colon"; d.head(st); d.title("CERTIFICATE OF REGISTRATION"); d.kv([("Plate", plate), ("Issue date", ds), ("Surname", n1), ("Given name", f1), ("Street", p.street), ("City", cty), ("Make", mk), ("Model", md), ("Vehicle identification number", w), ("Document ref.", form)])
        else: d.layout = "none"; d.head(st); d.lines(plate); d.lines(f"{f1} {n1}", p.street, cty); d.lines(f"{mk} {md} {first.year}", w, ds); d.small("Keep this card in the vehicle. Void if altered.")
    d.copydate = rdate(r, max(d.date, dt.date(2026,1,5)), LAST); return d

# ------------------------------------------------------------------ OTHER
def other(r, lang, c, v):
    d = Doc("OTHER", lang, c, v); p = person(r, lang, c); d.person = p; q = orgaddr(r, c); d.date = rdate(r, dt.date(2025,12,1), LAST); ds = dlong(d.date, lang, c); co = company(r, lang, c); d.amounts = None; d.layout = "prose"; F = lang == "fr"; amt = mon(r.randint(2400,48000), c); d.key = None
    k = v % 8
    if k == 0: d.head(co, q.street, pcity(q)); d.title("ATTESTATION D'EMPLOYEUR" if F else "Employment certificate"); d.p(f"Je soussigné, responsable du personnel de {co}, certifie que {fulltitle(p)} est employé(e) dans notre société en contrat à durée indéterminée depuis le {dlong(rdate(r,dt.date(2016,1,1),dt.date(2025,1,1)),lang,c)}." if F else f"This is to certify that {fulltitle(p)} has been employed by {co} on a permanent contract since {dlong(rdate(r,dt.date(2016,1,1),dt.date(2025,1,1)),lang,c)}.", ("Son salaire annuel brut est de " if F else "The gross annual salary is ") + mon(r.randint(240,720)*10000,c) + "."); d.sig(f"{'Fait le' if F else 'Signed on'} {ds}", "Ressources humaines" if F else "HR Department")
    elif k == 1: d.head(full(p), p.street, pcity(p)); d.title("CURRICULUM VITAE" if F else "Curriculum Vitae"); d.kv([("2021–2026", f"{'Chargé de projet' if F else 'Project officer'}, {co}"), ("2017–2021", f"{'Assistant' if F else 'Assistant'}, {r.choice(COMP[lang])}"), ("2013–2016", "Licence de gestion" if F else "BA Business Studies"), ("Langues" if F else "Languages", "français, anglais" if F else "English, French")])
    elif k == 2: d.layout = "under"; d.head("Rail Express Ouest" if F else "Crossland Rail"); d.title("e-billet" if F else "e-ticket"); j = d.date + dt.timedelta(days=0); d.kv([("Passager" if F else "Passenger", full(p)), ("Trajet" if F else "Journey", f"{q.city} – {p.city}"), ("Date", ds), ("Voiture / place" if F else "Coach / seat", f"{r.randint(1,18)} / {r.randint(11,98)}"), ("Prix" if F else "Fare", amt), ("Dossier" if F else "Booking ref.", lets(r,6))], cols=2)
    elif k == 3: d.head(full(p), p.street, pcity(p)); d.addr(co, q.street, pcity(q)); d.p(ds); d.title("Objet : résiliation de mon contrat" if F else "Re: cancellation of my contract"); d.p("Madame, Monsieur," if F else "Dear Sir or Madam,", f"Par la présente, je vous informe de ma décision de résilier mon contrat n° {digs(r,8)} à compter de sa prochaine échéance. Je vous prie de m'en confirmer la bonne réception." if F else f"I am writing to cancel my contract no. {digs(r,8)} from its next renewal date. Please confirm receipt of this letter.", "Veuillez agréer mes salutations distinguées." if F else "Yours faithfully,", full(p))
    elif k == 4: d.layout = "colon"; d.head("Université du Littoral" if F else "Northmoor University"); d.title("CERTIFICAT DE SCOLARITÉ" if F else "Certificate of enrolment"); d.kv([("Étudiant" if F else "Student", full(p)), ("N° étudiant" if F else "Student ID", digs(r,8)), ("Formation" if F else "Programme", "Master Droit des affaires" if F else "MSc Data Analytics"), ("Année" if F else "Academic year", "2026-2027"), ("Délivré le" if F else "Issued", ds)])
    elif k == 5: d.layout = "table"; d.head(co, q.street, pcity(q), regline(r,lang,c,d)); n = r.randint(9000,90000); d.title("DEVIS" if F else "QUOTATION", ds); d.kv([("Pour" if F else "For", full(p)), ("Validité" if F else "Valid for", "30 jours" if F else "30 days")]); it = r.sample(ITEMS[lang],2); d.table([("Désignation" if F else "Item"), ("Montant" if F else "Amount")], [[it[0], mon(n,c)], [it[1], mon(n//2,c)], ["Total", mon(n+n//2,c)]], 1)
    elif k == 6: d.head("Cabinet médical des Arcades" if F else "Riverside Medical Practice", q.street, pcity(q)); d.title("CERTIFICAT MÉDICAL" if F else "Medical certificate"); d.p((f"Je certifie avoir examiné ce jour {fulltitle(p)}, né(e) le {dnum(p.dob,c)}, dont l'état de santé ne présente pas de contre-indication à la pratique du sport." if F else f"I certify that I examined {fulltitle(p)}, born {dlong(p.dob,lang,c)}, and found no contraindication to sporting activity."), ds)
    else: d.head("Conseil syndical Les Glycines" if F else "Maple Court Residents Association", q.street, pcity(q)); d.title("Procès-verbal de réunion" if F else "Minutes of meeting", ds); d.p(f"Présents : {full(p)}, {full(person(r,lang,c))}." if F else f"Present: {full(p)}, {full(person(r,lang,c))}.", f"Le budget des travaux est arrêté à {amt}. La prochaine réunion aura lieu en janvier." if F else f"The budget for repairs was set at {amt}. The next meeting will be held in January.")
    return d

BUILD = {"INVOICE": invoice, "PROOF_OF_ADDRESS": poa, "BANK_DETAILS": bank, "PAYSLIP": payslip, "TAX_NOTICE": tax, "COMPANY_REGISTRATION": coreg, "INSURANCE_CERTIFICATE": insur, "VEHICLE_REGISTRATION": vehicle, "OTHER": other}
NV = {"INVOICE": 3, "PROOF_OF_ADDRESS": 4, "OTHER": 8}

EXTRA = {"fr": ["Bon à savoir : vous pouvez consulter vos documents à tout moment dans votre espace client et les télécharger au format PDF pendant dix ans.", "Une question ? Nos conseillers vous répondent du lundi au samedi de 8 h à 19 h (appel non surtaxé).", "Conformément à la réglementation sur la protection des données, vous disposez d'un droit d'accès et de rectification des informations qui vous concernent.", "En cas de désaccord, vous pouvez saisir le service réclamations par courrier, puis le médiateur compétent si la réponse ne vous satisfait pas.", "Ce document est à conserver. Aucun duplicata ne pourra être fourni sans demande écrite."],
 "en": ["Need help? You can view and download all of your documents online at any time, or call us Monday to Friday between 9am and 5pm.", "If you are unhappy with our service, please write to our complaints team. We will reply within eight weeks, after which you may contact the ombudsman.", "We use your information in accordance with our privacy notice. You have the right to see the data that we hold about you.", "Please keep this document in a safe place. A charge may apply for copies.", "Calls may be recorded for training and monitoring purposes."],
 "de": ["Bei Fragen erreichen Sie unseren Kundenservice werktags von 8 bis 18 Uhr.", "Bitte bewahren Sie dieses Dokument auf."], "es": ["Para cualquier consulta, llame a nuestro servicio de atención al cliente.", "Conserve este documento."], "it": ["Per informazioni contatti il servizio clienti dalle 8 alle 20.", "Conservare il presente documento."], "nl": ["Heeft u vragen? Onze klantenservice is bereikbaar op werkdagen.", "Bewaar dit document goed."], "pt": ["Para qualquer dúvida contacte o nosso apoio ao cliente.", "Guarde este documento."]}
CLAUSES = {"fr": ["1. Objet. Les présentes conditions précisent les droits et obligations de chacune des parties.", "2. Prix. Les prix sont ceux en vigueur au jour de la commande ; toute taxe nouvelle est à la charge du client.", "3. Paiement. Le règlement intervient à la date indiquée. Une indemnité forfaitaire de recouvrement peut être demandée aux professionnels.", "4. Réserve de propriété. Les biens livrés restent la propriété du fournisseur jusqu'au paiement complet.", "5. Responsabilité. La responsabilité du fournisseur est limitée aux dommages directs et prévisibles.", "6. Données personnelles. Les données sont conservées le temps nécessaire à la gestion du dossier.", "7. Réclamations. Toute réclamation doit être adressée par écrit dans un délai de trente jours.", "8. Médiation. À défaut d'accord, le client peut recourir gratuitement à un médiateur.", "9. Droit applicable. Le droit du lieu d'établissement du fournisseur s'applique."],
 "en": ["1. Scope. These terms set out the rights and duties of both parties.", "2. Prices. Prices are those in force on the day of the order and any new tax is payable by the customer.", "3. Payment. Payment falls due on the date shown. We may charge interest on late payments.", "4. Title. Goods remain the property of the supplier until they have been paid for in full.", "5. Liability. Nothing in these terms limits liability that cannot be limited by law.", "6. Personal data. We keep personal data only for as long as we need it.", "7. Complaints. Please send any complaint in writing within thirty days.", "8. Disputes. If we cannot agree, you may refer the matter to an independent body free of charge.", "9. Law. These terms are governed by the law of the place where the supplier is established."]}
def enrich(r, d):
    few = d.type in ("VEHICLE_REGISTRATION", "COMPANY_REGISTRATION")
    if r.random() < (.15 if few else .75) and d.blocks:
        for x in r.sample(EXTRA[d.lang], r.randint(1, min(1 if few else 4, len(EXTRA[d.lang])))): d.blocks.append(r.choice([("p", x), ("small", x)]))
    if d.lang in CLAUSES and d.type in ("INVOICE", "PROOF_OF_ADDRESS", "INSURANCE_CERTIFICATE", "PAYSLIP", "BANK_DETAILS", "TAX_NOTICE") and r.random() < .16:
        k = r.choice(["p", "small", "p"]); d.blocks.append(("title_", {"fr": "Conditions générales", "en": "Terms and conditions"}[d.lang])); d.blocks[-1] = ("p", d.blocks[-1][1].upper()); d.blocks += [(k, x) for x in CLAUSES[d.lang]]
    return d
