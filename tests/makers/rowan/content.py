# -*- coding: utf-8 -*-
"""What the documents say: blocks for each type, language, country, wording."""
import datetime as dt
from data import *
VAGUE=dt.date(2026,11,22)
class D: pass
def W(r,i,*opts): return opts[i%len(opts)]
class B:
    """a document being built"""
    def __init__(s,r,typ,c,w,layout,ov=None):
        s.r=r; s.type=typ; s.c=c; s.lang=LANG[c]; s.w=w; s.layout=layout
        s.blocks=[]; s.fields={}; s.raw={}; s.issuer=None; s.title=""; s.p=Person(r,c)
        s.fr=s.lang=="fr"; s.sums=[]; s.sumcheck=None
        s.date=dt.date(2024,1,5)+dt.timedelta(days=r.randint(0,1040)); s.date=min(s.date,dt.date(2026,11,20)); s.ds=r.choice([0,0,1])
        s.extra=None
    def F(s,code,v,raw=None): s.fields[code]=v; s.raw[code]=raw if raw is not None else v; return v
    def t(s,fr,en): return (fr if s.fr else en)
    def w3(s,*o): return o[s.w%len(o)]
    def add(s,*b): s.blocks.append(b)
    def m(s,v): return money(v,s.c)
    def d(s,x,st=None): return fdate(x,s.c,s.ds if st is None else st)
    def head(s,name=None,lines=None,addr=True):
        s.issuer=name or company(s.r,s.c); st,pc,ci,al=address(s.r,s.c); rl,s.regno=regline(s.r,s.c); s.regline=rl
        s.iss_addr=al; s.add("head",s.issuer,(al if addr else [])+(lines or [])); return s.issuer
    def holder(s,addrblock=True,fields=True,upper=None,title=True,addr=("address","postCode","city")):
        p=s.p; up=s.r.random()<(.6 if s.fr else .25) if upper is None else upper
        s.last=p.last.upper() if up else p.last; s.firstn=p.first
        if s.fr: ti={"F":s.r.choice(["Mme","Madame"]),"M":s.r.choice(["M.","Monsieur"])}[p.sex]
        else: ti={"F":s.r.choice(["Ms","Mrs"]),"M":"Mr"}[p.sex] if s.lang=="en" else {"de":{"F":"Frau","M":"Herr"},"es":{"F":"Dña.","M":"D."},"it":{"F":"Sig.ra","M":"Sig."},"nl":{"F":"Mevr.","M":"Dhr."},"pt":{"F":"Sra.","M":"Sr."}}[s.lang][p.sex]
        s.full=f"{s.firstn} {s.last}" if not(up and s.r.random()<.35) else f"{s.last} {s.firstn}"
        s.namel=(ti+" " if title else "")+s.full
        s.alines=list(p.lines); cityp=p.city
        for i,l in enumerate(s.alines):
            if p.city.upper() in l and p.city.upper()!=p.city: cityp=p.city.upper()
        if fields:
            s.F("lastName",s.last); s.F("firstName",s.firstn)
            for f,v in (("address",p.street),("postCode",p.pc),("city",cityp)):
                if f in addr: s.F(f,v)
        if addrblock: s.add("addr",[s.namel]+s.alines)
        return s.namel
    def kv(s,*pairs,style=None):
        P=[x for x in pairs if x]; s.add("kv",P,style)
    def h(s,x): s.add("h",x)
    def P(s,x): s.add("p",x)
    def foot(s,x=None): s.add("foot",x or f"{s.issuer} – {', '.join(s.iss_addr)} – {s.regline}")
    def done(s): 
        s.title=next((b[1] for b in s.blocks if b[0]=="title"),s.type); return s

def place(s,dd=None):
    dd=dd or s.date
    ci=s.p.city
    if s.fr: return f"{ci}, le {fdate(dd,s.c,1)}"
    return fdate(dd,s.c,1)

# ------------------------------------------------------------- BANK_DETAILS
def bank(s):
    r,c=s.r,s.c; ib,bk=make_iban(r,c); s.bk=bk
    s.head(bk[0],[s.w3(s.t("Agence ","Branch ")+s.p.city,s.t("Service clients : 0 969 3","Customer care: 0818 2")+digits(r,5))])
    s.holder(s.w!=1,True,addr=()); s.F("accountHolder",s.namel if s.w%2 else s.full)
    hold=s.fields["accountHolder"]; f={k:v for k,v in s.fields.items() if k in("accountHolder",)}
    s.fields=f; s.raw={k:s.raw[k] for k in f}
    if ib: s.F("iban",grp(ib) if r.random()<.8 else ib)
    b=bk[1]
    if c!="US" : s.F("bic",b)
    if s.fr and c!="QC":
        s.add("title",s.w3("Relevé d'identité bancaire","RIB – Coordonnées bancaires de votre compte","Attestation de coordonnées bancaires","Identité bancaire – IBAN / BIC"))
        if s.layout=="prose":
            s.P(place(s)); s.P("Madame, Monsieur,"); s.P(f"Nous attestons que {hold} est titulaire dans nos livres du compte courant numéro {s.fields['iban']} (identification internationale IBAN), tenu par notre établissement dont le code BIC est {b}.")
            s.P("Cette attestation est remise au titulaire du compte pour servir et valoir ce que de droit, notamment pour la mise en place de virements ou de prélèvements."); s.add("sign",s.w3("Le conseiller clientèle","La direction de l'agence"))
        else:
            s.P(s.w3("Ce document est à remettre à tout organisme qui vous demande vos coordonnées bancaires pour domicilier vos prélèvements et virements.","Veuillez trouver ci-dessous les références de votre compte.","Cadre réservé au destinataire du relevé. Toute modification rend ce relevé caduc."))
            s.kv((s.w3("Titulaire du compte","Intitulé du compte","Titulaire"),hold,"accountHolder"),(s.w3("IBAN","IBAN (International Bank Account Number)","Code IBAN"),s.fields["iban"],"iban"),(s.w3("BIC","Code BIC (SWIFT)","BIC – Bank Identifier Code"),b,"bic"),(s.w3("Domiciliation","Agence","Établissement"),bk[0],None))
            if c=="FR":
                x=ib[4:]; s.add("table",["Code banque","Code guichet","Numéro de compte","Clé RIB"],[[x[:5],x[5:10],x[10:21],x[21:]]],"cccc",0)
            elif c=="CH": s.kv(("N° de clearing (CB)",ib[4:9].lstrip("0"),None),("Monnaie du compte","CHF",None))
            s.P(s.w3(f"Édité le {s.d(s.date)}",f"Document établi le {s.d(s.date)} depuis l'espace client",f"Relevé généré le {s.d(s.date)}"))
    elif c=="QC":
        s.add("title",s.w3("Spécimen de dépôt direct","Formulaire d'adhésion au dépôt direct","Confirmation de compte – dépôt direct"))
        tr,ac=digits(r,5),digits(r,7); 
        if s.layout=="prose": s.P(f"La présente confirme que {hold} détient un compte d'opérations auprès de notre institution (transit {tr}, institution {bk[2]}, compte {ac}). Pour un virement international, utiliser le code SWIFT {b}.")
        else: s.kv(("Titulaire(s)",hold,"accountHolder"),("N° de transit",tr,None),("N° d'institution",bk[2],None),("N° de folio / compte",ac,None),("Code SWIFT/BIC",b,"bic"))
        s.P("Remettez ce document à votre employeur ou à l'organisme payeur. "+place(s)+".")
    elif c in("UK","IE"):
        s.add("title",s.w3("Confirmation of account details","Your account details","Statement of IBAN and BIC","Bank account verification letter"))
        sc=ib[8:14]; sc=f"{sc[:2]}-{sc[2:4]}-{sc[4:]}"; an=ib[14:]
        if s.layout=="prose":
            s.P(place(s)); s.P(f"Dear {s.namel},"); s.P(f"We are pleased to confirm that the current account in the name of {hold} was opened with us on {s.d(s.date-dt.timedelta(days=r.randint(90,3000)),1)} and remains in good order. Payments should be sent to IBAN {s.fields['iban']}, BIC {b} (sort code {sc}, account number {an}).")
            s.P("This letter is issued at the customer's request and carries no guarantee of the conduct of the account."); s.add("sign",s.w3("Customer Operations","For and on behalf of "+bk[0]))
        else:
            s.kv((s.w3("Account name","Account holder","Name on account"),hold,"accountHolder"),(s.w3("Account number","Account no."),an,None),(s.w3("Sort code","National sort code (NSC)"),sc,None),("IBAN",s.fields["iban"],"iban"),(s.w3("BIC","BIC / SWIFT","Swift code"),b,"bic"))
            s.P(s.w3(f"Generated on {s.d(s.date)} from the mobile app.",f"Issued {s.d(s.date,1)}. You can share these details with anyone who needs to pay you.",f"Date of issue: {s.d(s.date)}"))
    else:
        s.add("title",s.w3("Direct Deposit Information","Account verification letter","Pre-authorized debit / direct deposit form"))
        ac=digits(r,10)
        prs=[("Account holder",hold,"accountHolder"),("Account number",ac,None)]
        if c=="US": prs+=[("ABA routing number",aba(r),None),("Account type",r.choice(["Checking","Savings"]),None)]
        else: prs+=[("Transit number",digits(r,5),None),("Institution number",bk[2],None),("SWIFT / BIC",b,"bic")]
        if s.layout=="prose": s.P(f"Date: {s.d(s.date,1)}"); s.P("To whom it may concern:"); s.P(f"This letter confirms that {hold} maintains a deposit account with {bk[0]}. "+"; ".join(f"{k.lower()} {v}" for k,v,_ in prs[1:])+"."); s.add("sign","Branch Manager")
        else: s.kv(*prs); s.P(f"Prepared on {s.d(s.date,1)}. Give this form to your employer or to any payer to set up direct deposit.")
    s.foot(f"{bk[0]} – {s.regline}"); return s.done()
def aba(r):
    s="0"+digits(r,7,False); t=sum(int(a)*b for a,b in zip(s,[3,7,1,3,7,1,3,7])); return s+str((10-t%10)%10)

# ------------------------------------------------------------- PAYSLIP
RATES={"FR":[("Sécurité sociale – vieillesse plafonnée",6.90),("Sécurité sociale – vieillesse déplafonnée",0.40),("Retraite complémentaire T1",4.01),("CSG déductible de l'impôt",6.68),("CSG/CRDS non déductible",2.85),("Complémentaire santé",1.15)],
"CH":[("AVS / AI / APG",5.30),("Assurance chômage AC",1.10),("LAA non professionnelle",1.43),("LPP – prévoyance",6.20),("Assurance maternité GE",0.029)],
"BE":[("ONSS travailleur",13.07),("Cotisation spéciale sécurité sociale",0.85),("Précompte professionnel",22.14)],
"QC":[("RRQ",6.30),("Assurance-emploi",1.30),("RQAP",0.494),("Impôt fédéral",9.8),("Impôt du Québec",11.6)],
"UK":[("PAYE tax",12.4),("National Insurance",6.1),("Pension (employee)",5.0)],
"IE":[("PAYE",13.8),("PRSI class A1",4.1),("USC",2.6),("Pension",4.0)],
"US":[("Federal income tax",11.2),("Social Security",6.2),("Medicare",1.45),("State income tax",3.6)],
"CA":[("CPP",5.3),("EI",1.64),("Federal tax",10.4),("Provincial tax",6.1)]}
def payslip(s):
    r,c=s.r,s.c; s.head(None,None); s.blocks[-1]=(*s.blocks[-1][:2],s.blocks[-1][2]+[s.regline.split(" – ")[0]])
    s.date=s.date.replace(day=r.randint(24,28)); s.date=min(s.date,dt.date(2026,10,28)); mo=MONTHS[s.lang][s.date.month-1]; per=f"{mo} {s.date.year}"
    s.holder(True,True,addr=("postCode","city"))
    s.add("title",s.w3("Bulletin de paie","Bulletin de salaire","Fiche de paie","Décompte de salaire" if c=="CH" else "Bulletin de paie simplifié") if s.fr else s.w3("Payslip","Pay advice","Earnings statement","Statement of earnings and deductions"))
    job=r.choice("Technicienne de laboratoire|Assistant comptable|Aide-soignante|Chef d'équipe logistique|Développeur|Vendeur|Conducteur de travaux|Gestionnaire de dossiers".split("|")) if s.fr else r.choice("Care assistant|Software tester|Warehouse operative|Office administrator|Electrician|Staff nurse|Sous chef|Claims handler".split("|"))
    idn={"FR":("N° de sécurité sociale",nir(r,s.p)),"CH":("N° AVS",avs(r)),"BE":("Registre national",niss(r,s.p)),"QC":("NAS","XXX XXX "+digits(r,3)),"UK":("NI number",ni(r)),"IE":("PPS number",pps(r)),"US":("SSN","XXX-XX-"+digits(r,4)),"CA":("SIN","*** *** "+digits(r,3))}[c]
    s.kv((s.t("Période","Pay period"),per,None),(s.w3(s.t("Matricule","Employee no."),s.t("N° employé","Payroll ID")),digits(r,r.choice([4,5,6])),None),(s.t("Emploi","Job title"),job,None),(idn[0],idn[1],None),(s.t("Date d'entrée","Start date"),s.d(s.date-dt.timedelta(days=r.randint(200,4000)),0),None),
       (s.t("Salarié(e)","Employee"),s.full,"name") if s.w%2 else None)
    base=round(r.uniform(1850,5200) if c!="CH" else r.uniform(4300,9400),2); hrs={"FR":151.67,"CH":173.33,"BE":164.67}.get(c,160.0)
    rows=[]; sym=False; M=lambda v:money(v,c,False)
    rows.append([s.t("Salaire de base","Basic pay"),f"{hrs:.2f}".replace(".",","if s.fr and c!="CH" else"."),"",M(base),""]); gross=base
    if r.random()<.6:
        x=round(base*r.uniform(.02,.09),2); rows.append([s.t(r.choice(["Heures supplémentaires 25 %","Prime d'ancienneté","Prime de transport"]),r.choice(["Overtime","Shift allowance","Bonus"])),"","",M(x),""]); gross=round(gross+x,2)
    rows.append([s.w3(s.t("Salaire brut","Gross pay"),s.t("TOTAL BRUT","TOTAL GROSS")),"","",M(gross),""])
    tot=0
    for n,p in RATES[c]:
        a=round(gross*p/100,2); tot+=a; rows.append([n,M(gross),f"{p:.3f}".rstrip("0").rstrip(".").replace(".",","if s.fr and c!="CH" else".")+" %","",M(a)])
    tot=round(tot,2); rows.append([s.t("Total des retenues","Total deductions"),"","","",M(tot)])
    net=round(gross-tot,2); s.sums=("payslip",gross,tot,net)
    if c=="FR":
        pas=round(gross*r.choice([.021,.035,.053,.079]),2); rows.append(["Net à payer avant impôt sur le revenu","","",M(net),""]); rows.append(["Impôt sur le revenu prélevé à la source","","","",M(pas)]); net=round(net-pas,2)
    s.add("table",[s.t("Rubrique","Description"),s.t("Base / nombre","Base / units"),s.t("Taux","Rate"),s.t("Gains","Earnings"),s.t("Retenues","Deductions")],rows,"lrrrr",0)
    s.F("netAmount",s.m(net),net); s.add("box",s.w3(s.t("Net à payer","Net pay"),s.t("NET PAYÉ","NET PAY"),s.t("Net versé sur votre compte","Amount paid to your account")),s.m(net),"netAmount")
    s.P(s.t(f"Payé le {s.d(s.date,0)} par virement. ",f"Paid on {s.d(s.date,0)} by bank transfer. ")+(s.w3("Dans votre intérêt et pour vous aider à faire valoir vos droits, conservez ce bulletin de paie sans limitation de durée.","Convention collective applicable : voir contrat de travail.") if s.fr else s.w3("Please keep this payslip in a safe place.","Queries: contact payroll.","Year-to-date figures are available on the employee portal.")))
    s.foot(); return s.done()

# ------------------------------------------------------------- TAX_NOTICE
def tax(s):
    r,c=s.r,s.c; yr=s.date.year-1
    a={"FR":("Direction générale des Finances publiques",[f"Centre des Finances publiques de {r.choice(['Lyon Est','Villeurbanne','Grenoble Sud','Nantes Nord'])}"]),"CH":("République et Canton de Genève – Administration fiscale cantonale",["Hôtel des Finances","Rue du Stand 26, 1204 Genève"]),"BE":("Service Public Fédéral Finances",["Centre de perception","Avenue du Prince de Liège 133, 5100 Jambes"]),"QC":("Revenu Québec",["3800, rue de Marly, Québec"]),"UK":("HM Revenue & Customs",["Self Assessment, BX9 1AS"]),"IE":("Revenue – Irish Tax and Customs",["Personal Division, Limerick"]),"US":("State Department of Revenue",["Individual Income Tax Division","P.O. Box 2650"]),"CA":("Canada Revenue Agency",["Sudbury Tax Centre"])}[c]
    s.head(a[0],a[1],addr=False); s.holder(True,True)
    ttl={"FR":[f"Avis d'impôt {yr+1} sur les revenus de {yr}",f"Avis de taxe foncière {yr+1}",f"Avis de situation déclarative à l'impôt sur le revenu {yr+1}"],"CH":[f"Bordereau de taxation {yr}",f"Avis de taxation – impôts cantonaux et communaux {yr}"],"BE":[f"Avertissement-extrait de rôle – exercice d'imposition {yr+1}"],"QC":[f"Avis de cotisation {yr}"],"UK":[f"Tax calculation {yr-1}-{str(yr)[2:]}",f"Self Assessment statement"],"IE":[f"Statement of Liability {yr}",f"Notice of Assessment {yr}"],"US":[f"Notice of Assessment – Tax year {yr}",f"Individual income tax notice {yr}"],"CA":[f"Notice of assessment {yr}"]}[c]
    s.add("title",ttl[s.w%len(ttl)])
    dn={"FR":f"{yr-2000+1} {digits(r,2)} {digits(r,7)} {digits(r,2)}","CH":f"{digits(r,3)}.{digits(r,3)}.{digits(r,3)}","BE":f"{yr+1}{digits(r,7)}","QC":f"AC-{digits(r,4)}-{digits(r,4)}","UK":f"{digits(r,5)} {digits(r,5)}","IE":f"{digits(r,7)}-{digits(r,5)}{letters(r,1)}","US":f"L{digits(r,10)}","CA":f"{letters(r,2)}{digits(r,8)}"}[c]
    s.F("documentNumber",dn)
    inc=r.randint(21000,78000); ded=round(inc*.1) if s.fr else round(inc*r.uniform(.05,.12)); net=inc-ded; t1=round(net*r.uniform(.06,.17)); t2=round(net*r.uniform(.005,.03)); tot=t1+t2
    dl={"FR":"Référence de l'avis","CH":"N° de contribuable / bordereau","BE":"Article du rôle","QC":"Numéro de l'avis","UK":"Unique Taxpayer Reference","IE":"Notice number","US":"Letter ID","CA":"Notice reference"}[c]
    idl={"FR":("Numéro fiscal",f"{digits(r,2)} {digits(r,2)} {digits(r,3)} {digits(r,3)} {digits(r,3)}"),"CH":("N° AVS",avs(r)),"BE":("Numéro national",niss(r,s.p)),"QC":("NAS","XXX XXX "+digits(r,3)),"UK":("NI number",ni(r)),"IE":("PPSN",pps(r)),"US":("SSN","XXX-XX-"+digits(r,4)),"CA":("SIN","XXX XX"+digits(r,1)+" "+digits(r,3))}[c]
    dd=dt.date(yr+1,r.randint(5,9),r.randint(2,28)); s.date=min(dd,dt.date(2026,11,2))
    s.kv((dl,dn,"documentNumber"),idl+(None,),(s.t("Date d'établissement","Date of issue"),s.d(s.date),None),(s.t("Date limite de paiement","Payment due"),s.d(s.date+dt.timedelta(days=45)),None))
    s.add("table",[s.t("Détail","Item"),s.t("Montant","Amount")],[[s.w3(s.t("Salaires et assimilés","Employment income"),s.t("Revenus bruts","Total income")),s.m(inc)],[s.t("Déductions","Deductions and reliefs"),s.m(-ded)],[s.t("Revenu imposable","Taxable income"),s.m(net)],[s.t("Impôt sur le revenu" if c=="FR" else "Impôt","Income tax"),s.m(t1)],[s.t("Prélèvements et contributions","Contributions and levies"),s.m(t2)],[s.t("Total","Total"),s.m(tot)]],"lr",1)
    s.F("totalAmount",s.m(tot),tot); s.add("box",s.w3(s.t("Montant à payer","Amount due"),s.t("Total de votre imposition","Total tax due"),s.t("Somme à payer","Balance payable")),s.m(tot),"totalAmount")
    s.sums=("tax",inc,ded,t1,t2,tot)
    s.P(s.w3("Vous pouvez vérifier l'authenticité de cet avis en ligne à l'aide de votre numéro fiscal et de la référence de l'avis.","En cas de désaccord, une réclamation peut être déposée par écrit dans le délai légal.","Conservez ce document : il peut vous être demandé comme justificatif de revenus.") if s.fr else s.w3("If you disagree with this notice you can object within 30 days of its date.","Keep this notice for your records. You may be asked for it as evidence of income.","You can check your balance at any time in your online account."))
    if r.random()<.4:
        s.add("pb"); s.h(s.t("Informations complémentaires","Further information")); 
        for k in range(4): s.P(s.t("Les sommes versées au titre des acomptes ont été prises en compte à la date d'établissement du présent avis. Le paiement peut être effectué en ligne, par prélèvement à l'échéance ou par virement. Toute somme non réglée à l'échéance donne lieu à une majoration.","Payments received up to the date of this notice have been taken into account. You can pay online, by direct debit or at your bank. Interest is charged on any amount that is paid late, and penalties may apply."))
    s.foot(s.w3(a[0],a[0]+" – "+ " – ".join(a[1]))); return s.done()

# ------------------------------------------------------------- INVOICE
VATR={"FR":20,"CH":8.1,"BE":21,"QC":14.975,"UK":20,"IE":23,"US":7.25,"CA":13,"DE":19,"ES":21,"IT":22,"NL":21,"PT":23}
ITEMS={"fr":["Remplacement chauffe-eau 200 L","Main-d'œuvre (heures)","Fourniture parquet chêne (m²)","Déplacement zone 2","Cartouches toner noir","Prestation de conseil (jours)","Révision annuelle chaudière","Peinture murs et plafonds","Pose de serrure 3 points","Location nacelle (jour)"],
"en":["Boiler service","Labour (hours)","Oak flooring (m²)","Call-out charge","Toner cartridges, black","Consultancy (days)","Roof repair","Website hosting, annual","Vehicle diagnostics","Brake pads, front set"],
"de":["Arbeitsstunden Geselle","Eichenplatte 40 mm","Anfahrtspauschale","Druckerpapier A4 (Karton)","Wartung Heizungsanlage"],"es":["Mano de obra (horas)","Pintura plástica blanca","Desplazamiento","Tarjetas de visita","Reparación de caldera"],"it":["Manodopera (ore)","Sostituzione filtro","Stampa opuscoli","Trasferta","Scaffale metallico"],"nl":["Arbeidsuren","Voorrijkosten","Drukwerk folders","Onderhoud cv-ketel","Kantoorstoel"],"pt":["Mão de obra (horas)","Deslocação","Impressão de folhetos","Pintura de interiores","Pastilhas de travão"]}
IL={"fr":dict(t=["Facture","FACTURE","Facture n°","Note d'honoraires"],n=["Facture n°","N° de facture","Référence facture"],d=["Date","Date de facture","Émise le"],due=["Échéance","À payer avant le"],cl="Client",tab=["Désignation","Qté","P.U.","Montant"],st=["Total HT","Sous-total"],v="TVA",tot=["Total TTC","Net à payer","Montant total"],pay="Règlement par virement sur le compte",thx="Pas d'escompte pour paiement anticipé. Tout retard entraîne des pénalités au taux légal et une indemnité forfaitaire de 40 €."),
"en":dict(t=["Invoice","INVOICE","Tax invoice","Sales invoice"],n=["Invoice no.","Invoice number","Inv #"],d=["Date","Invoice date","Date issued"],due=["Due date","Payment due"],cl="Bill to",tab=["Description","Qty","Unit price","Amount"],st=["Subtotal","Net"],v="VAT",tot=["Total due","Total","Amount payable"],pay="Please pay by bank transfer to",thx="Thank you for your business. Please quote the invoice number with your payment."),
"de":dict(t=["Rechnung"],n=["Rechnungsnummer","Rechnung Nr."],d=["Rechnungsdatum","Datum"],due=["Fällig am"],cl="Kunde",tab=["Bezeichnung","Menge","Einzelpreis","Betrag"],st=["Zwischensumme netto"],v="MwSt.",tot=["Gesamtbetrag","Rechnungsbetrag"],pay="Bitte überweisen Sie den Betrag auf das Konto",thx="Vielen Dank für Ihren Auftrag. Zahlbar innerhalb von 14 Tagen ohne Abzug."),
"es":dict(t=["Factura"],n=["Factura n.º","Número de factura"],d=["Fecha","Fecha de emisión"],due=["Vencimiento"],cl="Cliente",tab=["Concepto","Cant.","Precio","Importe"],st=["Base imponible"],v="IVA",tot=["Total factura","Total a pagar"],pay="Forma de pago: transferencia a la cuenta",thx="Gracias por su confianza."),
"it":dict(t=["Fattura"],n=["Fattura n.","Numero documento"],d=["Data","Data fattura"],due=["Scadenza"],cl="Spett.le",tab=["Descrizione","Q.tà","Prezzo","Importo"],st=["Imponibile"],v="IVA",tot=["Totale fattura","Totale da pagare"],pay="Pagamento con bonifico bancario su",thx="Contributo CONAI assolto ove dovuto."),
"nl":dict(t=["Factuur"],n=["Factuurnummer","Factuurnr."],d=["Factuurdatum","Datum"],due=["Vervaldatum"],cl="Klant",tab=["Omschrijving","Aantal","Prijs","Bedrag"],st=["Subtotaal"],v="Btw",tot=["Totaal te betalen","Totaal"],pay="Gelieve het bedrag over te maken op rekening",thx="Op al onze leveringen zijn onze algemene voorwaarden van toepassing."),
"pt":dict(t=["Fatura"],n=["Fatura n.º","Número da fatura"],d=["Data","Data de emissão"],due=["Vencimento"],cl="Cliente",tab=["Descrição","Qtd.","Preço","Valor"],st=["Subtotal"],v="IVA",tot=["Total a pagar","Total"],pay="Pagamento por transferência para o IBAN",thx="Processado por programa certificado.")}
def invoice(s):
    r,c=s.r,s.c; L=IL[s.lang]; pk=lambda k:L[k][s.w%len(L[k])]
    s.head(None,[r.choice(["Tél. ","Tel. "])[:3+s.fr]+". "+digits(r,9) if 0 else ("Tél. " if s.fr else "Tel. ")+digits(r,9)]); s.F("issuer",s.issuer)
    s.holder(True,False)
    n=r.choice([f"{s.date.year}-{r.randint(12,980):04d}",f"F{s.date:%y%m}{digits(r,3)}" if s.fr else f"INV-{digits(r,5)}",f"{digits(r,6)}",f"FA{s.date.year}/{r.randint(10,999)}" if s.fr else f"{letters(r,2)}{digits(r,4)}/{s.date:%y}"])
    s.F("invoiceNumber",n); s.F("issueDate",s.d(s.date),s.date)
    s.add("title",pk("t").replace(" n°","")); 
    due=s.date+dt.timedelta(days=30)
    if s.layout=="none": s.P(f"{pk('t').replace(' n°','')} {n}"); s.P(s.fields["issueDate"])
    else: s.kv((pk("n"),n,"invoiceNumber"),(pk("d"),s.fields["issueDate"],"issueDate"),(pk("due"),s.d(due),None),(s.t("Réf. client","Customer ref.") if s.lang in("fr","en") else L["cl"]+" ID","C"+digits(r,5),None))
    rows=[];sub=0
    for it in r.sample(ITEMS[s.lang],r.randint(2,4)):
        q=r.randint(1,9); u=round(r.uniform(12,340),2); a=round(q*u,2); sub+=a; rows.append([it,str(q),money(u,c,False),money(a,c,False)])
    sub=round(sub,2); rt=VATR[c]; v=round(sub*rt/100,2); tot=round(sub+v,2); s.sums=("invoice",sub,v,tot)
    rr=f"{rt}".replace(".",",") if c not in("CH","UK","IE","US","CA") else f"{rt}"
    vl={"US":"Sales tax","CA":"HST","QC":"TPS + TVQ"}.get(c,L["v"])
    rows+= [[pk("st"),"","",money(sub,c,False)],[f"{vl} {rr} %","","",money(v,c,False)],[pk("tot"),"","",s.m(tot)]]
    s.add("table",L["tab"],rows,"lrrr",3); s.F("totalAmount",s.m(tot),tot)
    ib,bk=make_iban(r,c)
    if ib: s.F("iban",grp(ib)); s.P(f"{L['pay']} {grp(ib)} (BIC {bk[1]}), {bk[0]}.")
    else: s.P(s.t("Paiement par virement Interac ou chèque à l'ordre de ","Cheque or transfer payable to ")+s.issuer+".")
    s.P(L["thx"]); s.foot(); return s.done()

# ------------------------------------------------------------- PROOF_OF_ADDRESS
PA={"fr":dict(co=["Énergies du Confluent","Lumivolt","Aqualis – Eaux de l'Agglomération","Filéa Télécom","Octave Mobile","Régie Foncière des Terreaux","Services Industriels du Lac"],t=["Votre facture d'électricité","Facture d'eau","Votre facture Internet et mobile","Quittance de loyer","Échéancier et facture de gaz naturel","Attestation de titulaire de contrat"]),
"en":dict(co=["Brightwell Energy","Severnside Water","Corrib Broadband","Lakehead Hydro","Fernhill Lettings","Prairie Gas & Electric","Quayside Mobile"],t=["Your electricity bill","Water bill","Broadband and phone bill","Rent receipt","Your gas statement","Council tax bill"]),
"de":dict(co=["Stadtwerke Rheinaue GmbH","Lichtstrom AG"],t=["Ihre Stromrechnung","Wasserabrechnung"]),"es":dict(co=["Luz del Turia S.A.","Aguas de Levante S.A."],t=["Factura de electricidad","Factura de agua"]),"it":dict(co=["Energia Lariana S.p.A.","Acquedotti del Savena S.p.A."],t=["Bolletta luce","Bolletta acqua"]),"nl":dict(co=["Waterland Energie B.V.","Rivierstroom N.V."],t=["Uw energienota","Waterrekening"]),"pt":dict(co=["Luz do Mondego S.A.","Águas do Minho S.A."],t=["Fatura de eletricidade","Fatura de água"])}
def poa(s):
    r,c=s.r,s.c; L=PA[s.lang]; k=(s.w+r.randint(0,1)*2)%len(L["t"]); ttl=L["t"][k]
    rent=ttl in("Quittance de loyer","Rent receipt")
    co={"Quittance de loyer":"Régie Foncière des Terreaux","Rent receipt":"Fernhill Lettings","Facture d'eau":"Aqualis – Eaux de l'Agglomération","Water bill":"Severnside Water","Votre facture Internet et mobile":r.choice(["Filéa Télécom","Octave Mobile"]),"Broadband and phone bill":r.choice(["Corrib Broadband","Quayside Mobile"]),"Council tax bill":"Wexmoor District Council"}.get(ttl) or r.choice([x for x in L["co"] if not any(z in x for z in("Téléc","Mobile","Eaux","Régie","Water","Broadb","Lett"))])
    if s.lang not in("fr","en"): co=L["co"][k%len(L["co"])]
    if c in("US","CA") and ttl=="Council tax bill": ttl="Property tax bill"; co="City Treasurer – Property Tax"
    s.head(co,[("Service clients " if s.fr else "Customer service " if s.lang=="en" else "Tel. ")+digits(r,8)]); s.F("issuer",co)
    s.holder(True,True); s.F("issueDate",s.d(s.date),s.date); s.add("title",ttl)
    p1=s.date-dt.timedelta(days=62); a=round(r.uniform(31,260),2); rt={"CH":2.6,"UK":5,"IE":9}.get(c,VATR[c]); v=round(a*rt/100,2); tot=round(a+v,2)
    lab={"fr":("N° de client","Référence du contrat","Date de facture","Période","Abonnement","Consommation","TVA","Total à payer","Lieu de consommation"),"en":("Account number","Contract reference","Bill date","Billing period","Standing charge","Usage","VAT","Total to pay","Supply address"),"de":("Kundennummer","Vertragskonto","Rechnungsdatum","Zeitraum","Grundpreis","Verbrauch","MwSt.","Zu zahlen","Verbrauchsstelle"),"es":("N.º de cliente","Contrato","Fecha de factura","Periodo","Término fijo","Consumo","IVA","Total a pagar","Dirección de suministro"),"it":("Codice cliente","Contratto","Data emissione","Periodo","Quota fissa","Consumo","IVA","Totale da pagare","Indirizzo di fornitura"),"nl":("Klantnummer","Contractnummer","Factuurdatum","Periode","Vastrecht","Verbruik","Btw","Te betalen","Leveringsadres"),"pt":("N.º de cliente","Contrato","Data de emissão","Período","Termo fixo","Consumo","IVA","Total a pagar","Local de consumo")}[s.lang]
    if rent:
        rl=round(r.uniform(480,1650),0); ch=round(r.uniform(35,180),0); tot=rl+ch; mo=f"{MONTHS[s.lang][s.date.month-1]} {s.date.year}"
        if s.layout=="prose":
            s.P(s.t(f"Je soussigné, représentant de {co}, bailleur du logement situé {', '.join(s.alines)}, déclare avoir reçu de {s.namel} la somme de {s.m(tot)} au titre du loyer et des charges du mois de {mo}, et lui en donne quittance, sous réserve de tous mes droits.",f"Received from {s.namel}, tenant of {', '.join(s.alines)}, the sum of {s.m(tot)} in full payment of rent and service charge for {mo}."))
            s.P(s.t(f"Fait à {s.p.city}, le {s.fields['issueDate']}",f"Dated {s.fields['issueDate']}"))
        else:
            s.kv((s.t("Locataire","Tenant"),s.full,"name"),(s.t("Logement","Property"),", ".join(s.alines),"addr"),(s.t("Période","Period"),mo,None),(s.t("Date","Date"),s.fields["issueDate"],"issueDate"))
            s.add("table",[s.t("Libellé","Item"),s.t("Montant","Amount")],[[s.t("Loyer nu","Rent"),s.m(rl)],[s.t("Provision pour charges","Service charge"),s.m(ch)],[s.t("Total réglé","Total received"),s.m(tot)]],"lr",1)
        s.add("sign",s.t("Le bailleur","The landlord")); s.sums=("sum",rl,ch,tot)
    elif s.layout=="prose":
        s.P(s.t(f"{place(s,s.date)}" if s.ds else f"Le {s.fields['issueDate']}",s.fields["issueDate"])); 
        if s.fields["issueDate"] not in " ".join(str(b) for b in s.blocks): s.P(s.fields["issueDate"])
        s.P(s.t(f"Nous attestons que {s.namel} est titulaire du contrat n° {digits(r,9)} pour l'adresse {', '.join(s.alines)} depuis le {s.d(s.date-dt.timedelta(days=r.randint(100,2500)),1)}.",f"We confirm that {s.namel} is the account holder for service at {', '.join(s.alines)} under contract {digits(r,9)} since {s.d(s.date-dt.timedelta(days=r.randint(100,2500)),1)}."))
        s.P(s.t("Attestation délivrée à la demande du client pour servir de justificatif de domicile.","This letter is issued at the customer's request as evidence of residence.")); s.sums=None
    else:
        if s.layout=="none": s.P(s.fields["issueDate"])
        s.kv((lab[0],digits(r,9),None),(lab[1],letters(r,2)+digits(r,7),None),None if s.layout=="none" else (lab[2],s.fields["issueDate"],"issueDate"),(lab[3],f"{s.d(p1,0)} – {s.d(s.date,0)}",None),(lab[8],", ".join(s.alines),"addr") if s.w%2 else None)
        ab=round(a*r.uniform(.2,.45),2); rr=f"{rt}"
        s.add("table",[s.t("Détail","Description") if s.lang in("fr","en") else "",{"fr":"Montant","en":"Amount","de":"Betrag","es":"Importe","it":"Importo","nl":"Bedrag","pt":"Valor"}[s.lang]],[[lab[4],s.m(ab)],[f"{lab[5]} ({r.randint(80,900)} "+("kWh" if "eau" not in ttl and "Water" not in ttl and "telecom" not in ttl else "m³")+")" if "Internet" not in ttl and "phone" not in ttl and "tax" not in ttl else s.t("Forfait et options","Plan and extras"),s.m(round(a-ab,2))],[f"{lab[6]} {rr} %",s.m(v)],[lab[7],s.m(tot)]],"lr",1); s.sums=("poa",a,v,tot)
        s.add("box",lab[7],s.m(tot),None)
        if s.lang in("fr","en"): s.P(s.w3("Prélèvement automatique à l'échéance.","Merci de régler avant la date limite indiquée sur votre espace client.","En cas de déménagement, prévenez-nous 15 jours avant.") if s.fr else s.w3("You pay by direct debit. You do not need to do anything.","Please pay within 14 days of the bill date.","Moving home? Tell us 7 days before."))
    s.foot(); return s.done()

# ------------------------------------------------------------- COMPANY_REGISTRATION
def compreg(s):
    r,c=s.r,s.c; reg={"FR":(f"Greffe du Tribunal de Commerce de {r.choice(['Lyon','Grenoble','Nantes','Paris'])}",),"CH":("Registre du commerce du canton de Genève",),"BE":("Banque-Carrefour des Entreprises",),"QC":("Registraire des entreprises",),"UK":("Companies House",),"IE":("Companies Registration Office",),"US":("Secretary of State – Division of Corporations",),"CA":("Ministry of Public and Business Service Delivery",)}[c]
    s.head(reg[0],[],addr=False); nm=company(r,c); _,no=regline(r,c); s.regline=""
    if c=="FR": num=f"{no[:3]} {no[3:6]} {no[6:]}"; nl=s.w3("Immatriculation au RCS, numéro","Numéro d'identification (RCS)","SIREN"); full=num+f" R.C.S. {s.p.city}"
    else: num=no; full=no; nl={"CH":"IDE","BE":"Numéro d'entreprise","QC":"Numéro d'entreprise (NEQ)","UK":"Company number","IE":"Company number","US":"File number","CA":"Ontario corporation number"}[c]
    if c=="QC": num="11"+digits(r,8)
    if c=="US": num=digits(r,7)
    if c=="CA": num=digits(r,7)
    s.F("companyName",nm); s.F("registrationNumber",num); p=s.p; s.F("address",p.street); s.F("postCode",p.pc)
    cityp=p.city.upper() if p.city.upper() in " ".join(p.lines) else p.city; s.F("city",cityp); ad=", ".join(p.lines)
    since=s.date-dt.timedelta(days=r.randint(300,7000)); cap=r.choice([1000,5000,10000,50000,100000]); mgr=Person(r,c)
    s.add("title",s.w3(*{"FR":["Extrait Kbis","Extrait d'immatriculation principale au registre du commerce et des sociétés","Extrait du Registre national des entreprises"],"CH":["Extrait du registre du commerce","Extrait internet – registre du commerce"],"BE":["Extrait intégral des données de l'entité enregistrée","Extrait de la BCE"],"QC":["État de renseignements d'une personne morale au registre des entreprises"],"UK":["Certificate of incorporation – company snapshot","Company overview"],"IE":["Company printout","Certificate of registration details"],"US":["Certificate of Good Standing","Business entity details"],"CA":["Profile Report","Corporation profile report"]}[c]))
    if s.layout=="prose":
        s.P(s.t(f"Le registre certifie que la société {nm}, inscrite sous le numéro {num}, a son siège à l'adresse suivante : {ad}. Elle est dirigée par {mgr.first} {mgr.last} et dispose d'un capital de {s.m(cap)}.",f"This is to certify that {nm}, registered under number {num}, is duly incorporated and has its registered office at {ad}. According to the records of this office its director is {mgr.first} {mgr.last}."))
        s.P(s.t(f"Inscription du {s.d(since,1)}. Extrait délivré le {s.d(s.date,1)}.",f"Date of incorporation {s.d(since,1)}. Given on {s.d(s.date,1)}.")); s.add("sign",s.t("Le greffier" if c=="FR" else "Le préposé","Registrar"))
    else:
        if s.layout!="none" : s.P(s.t(f"À jour au {s.d(s.date,1)}",f"As at {s.d(s.date,1)}"))
        s.h(s.t("Identification de la personne morale","Company details"))
        s.kv((s.w3(s.t("Dénomination ou raison sociale","Company name"),s.t("Dénomination","Name"),s.t("Raison sociale","Legal name")),nm,"companyName"),(nl,num,"registrationNumber"),(s.t("Date d'immatriculation","Incorporated on"),s.d(since,0),None),(s.t("Forme juridique","Company type"),s.t("Société à responsabilité limitée","Private company limited by shares"),None),(s.t("Capital social","Share capital"),s.m(cap),None),(s.w3(s.t("Adresse du siège","Registered office"),s.t("Siège social","Registered office address")),ad,"addr"),(s.t("Activité principale","Nature of business"),s.t(r.choice(["Travaux de menuiserie","Conseil en gestion","Transport routier de marchandises"]),r.choice(["Joinery installation","Management consultancy","Freight transport by road"])),None))
        s.h(s.t("Gestion, direction, administration","Officers")); s.add("table",[s.t("Nom, prénoms","Name"),s.t("Fonction","Role"),s.t("Né(e) le","Appointed")],[[f"{mgr.last.upper()} {mgr.first}",s.t("Gérant","Director"),s.d(mgr.birth if s.fr else since,0)]],"lll",0)
        if r.random()<.35: s.add("pb"); s.h(s.t("Historique des inscriptions","Filing history")); s.add("table",[s.t("Date","Date"),s.t("Inscription","Filing")],[[s.d(since+dt.timedelta(days=40*i),0),s.t(x,y)] for i,(x,y) in enumerate([("Constitution","Incorporation"),("Dépôt des statuts","Articles filed"),("Nomination du gérant","Director appointed"),("Dépôt des comptes","Accounts filed")])],"ll",0)
        s.P(s.t(f"Extrait délivré le {s.d(s.date)}",f"Produced on {s.d(s.date)}"))
    s.add("foot",s.w3(s.t("Toute modification ou falsification du présent extrait expose à des poursuites pénales.","Information is taken from the public register."),s.t("FIN DE L'EXTRAIT","END OF REPORT"))); return s.done()

# ------------------------------------------------------------- INSURANCE_CERTIFICATE
def insurance(s):
    r,c=s.r,s.c; co=r.choice(["Mutuelle des Alpilles","Assurances du Mont-Verdun","Prévia Lémanique","La Sambrienne Assurances","Garantie Boréale"]) if s.fr else r.choice(["Hawthorn Mutual","Castlebridge Insurance","Great Elm Assurance","Maple Shield Insurance","Anchorline Insurance"])
    s.head(co,[s.t("Service contrats","Policy services")]); s.F("issuer",co); s.holder(True,True,addr=("postCode","city"))
    n=r.choice([f"{digits(r,9)}",f"{letters(r,2)}-{digits(r,7)}",f"{digits(r,3)} {digits(r,6)} {letters(r,1)}",f"{s.date:%y}/{digits(r,7)}"]); s.F("policyNumber",n)
    kind=s.w%3; st=s.date; en=dt.date(st.year+1,st.month,min(st.day,28))
    ttl=s.t(["Attestation d'assurance habitation","Attestation de responsabilité civile","Attestation d'assurance automobile"],["Certificate of home insurance","Certificate of liability insurance","Certificate of motor insurance"])[kind]
    s.add("title",ttl)
    obj=[", ".join(s.alines),s.t("Vie privée et activité professionnelle","Personal and business activities"),s.t(f"Véhicule immatriculé {plate(r,c)}",f"Vehicle registration {plate(r,c)}")][kind]
    if s.layout=="prose":
        s.P(place(s)); s.P(s.t(f"La société {co} atteste que {s.namel} est titulaire du contrat d'assurance n° {n}, en cours de validité du {s.d(st,1)} au {s.d(en,1)}, pour : {obj}.",f"{co} hereby certifies that {s.namel} is insured under policy number {n} for the period from {s.d(st,1)} to {s.d(en,1)} in respect of: {obj}."))
        s.P(s.t("La présente attestation ne constitue qu'une présomption de garantie et ne peut engager l'assureur en dehors des limites du contrat auquel elle se réfère.","This certificate is evidence of cover only and does not amend or extend the terms of the policy.")); s.add("sign",s.t("Pour la société","Authorised signatory"))
    else:
        s.kv((s.w3(s.t("N° de contrat","Policy number"),s.t("Numéro de police","Policy no."),s.t("Contrat","Certificate / policy number")),n,"policyNumber"),(s.w3(s.t("Assuré","Insured"),s.t("Souscripteur","Policyholder")),s.full,"name"),(s.t("Risque assuré","Insured risk"),obj,None),(s.t("Date d'effet","Effective from"),s.d(st),None),(s.t("Valable jusqu'au","Expires"),s.d(en),None))
        if s.layout!="none" or 1: s.add("table",[s.t("Garanties","Cover"),s.t("Plafond","Limit"),s.t("Franchise","Excess")],[[a,s.m(b),s.m(e)] for a,b,e in [(s.t("Responsabilité civile","Public liability"),r.choice([1e6,2e6,5e6]),0.0),(s.t("Incendie et événements climatiques","Fire and storm"),r.choice([15e4,25e4]),r.choice([150.,250.])),(s.t("Dégât des eaux","Escape of water"),r.choice([5e4,8e4]),150.)]],"lrr",0)
        s.P(s.t(f"Attestation établie le {s.d(s.date)} pour servir et valoir ce que de droit.",f"Issued on {s.d(s.date)}.")); s.add("sign",s.t("La direction","For and on behalf of the insurer"))
    s.foot(); return s.done()
def plate(r,c):
    L=lambda n:letters(r,n,"ABCDEFGHJKLMNPRSTVWXYZ")
    return {"FR":f"{L(2)}-{digits(r,3)}-{L(2)}","CH":f"{r.choice(['GE','VD','FR','NE','VS'])} {digits(r,6)}","BE":f"{r.choice('12')}-{L(3)}-{digits(r,3)}","QC":f"{L(1)}{digits(r,2)} {L(3)}","UK":f"{L(2)}{r.choice(['19','20','21','22','23','70','71','72'])} {L(3)}","IE":f"{r.choice(['191','202','211','221','232'])}-{r.choice(['D','C','G','L','WW'])}-{digits(r,5)}","US":f"{L(3)} {digits(r,4)}","CA":f"{L(4)} {digits(r,3)}"}[c]

# ------------------------------------------------------------- VEHICLE_REGISTRATION
MAKES=[("RENAULT","CLIO V","VF1RJA00"),("PEUGEOT","208","VR3UPHNE"),("VOLKSWAGEN","GOLF","WVWZZZCD"),("TOYOTA","YARIS","VNKKBAC3"),("FORD","FOCUS","WF0NXXGC"),("SKODA","OCTAVIA","TMBJJ7NX"),("HYUNDAI","i20","NLHBN51G")]
def vehicle(s):
    r,c=s.r,s.c; a={"FR":"République française – Ministère de l'Intérieur","CH":"République et Canton de Genève – Office cantonal des véhicules" ,"BE":"SPF Mobilité et Transports – DIV","QC":"Société de l'assurance automobile du Québec","UK":"Driver & Vehicle Licensing Agency","IE":"Department of Transport – Driver and Vehicle Computer Services Division","US":"State Department of Motor Vehicles","CA":"Ontario Ministry of Transportation"}[c]
    s.head(a,[],addr=False)
    s.add("title",s.w3(*{"FR":["Certificat d'immatriculation","Certificat provisoire d'immatriculation","Récapitulatif du certificat d'immatriculation"],"CH":["Permis de circulation"],"BE":["Certificat d'immatriculation"],"QC":["Certificat d'immatriculation"],"UK":["Vehicle registration certificate","Registration certificate V5C – keeper details"],"IE":["Vehicle Registration Certificate"],"US":["Vehicle Registration","Certificate of Registration"],"CA":["Vehicle permit – plate portion","Ownership permit"]}[c]))
    s.holder(s.w%2==0,True,title=False)
    pl=plate(r,c); s.F("registrationNumber",pl); s.date=min(s.date,dt.date(2026,10,30)); s.F("issueDate",s.d(s.date,0 if s.w%2 else None),s.date)
    mk=r.choice(MAKES); vin=mk[2]+letters(r,1,"ABCDEFGHJKLMNPRSTUVWXYZ")+digits(r,8); first=s.date-dt.timedelta(days=r.randint(0,3200))
    eu=c in("FR","BE","UK","IE","CH")
    X=lambda code,fr,en:(f"{code} " if eu and s.w%3!=2 else "")+s.t(fr,en)
    s.kv((X("A",s.t("Numéro d'immatriculation" if s.w%2 else "Immatriculation",""),"Registration number" if s.w%2 else "Plate number"),pl,"registrationNumber"),(X("B","Date de 1re immatriculation","Date of first registration"),s.d(first,0),None),(X("I","Date du certificat" if s.w%2 else "Date de délivrance","Date of issue"),s.fields["issueDate"],"issueDate"),
      (X("C.1",s.w3("Titulaire","Nom, prénom"),s.w3("Registered keeper","Owner")),f"{s.last} {s.firstn}","name"),(X("C.3","Adresse","Address"),", ".join(s.alines),"addr"))
    s.kv((X("D.1","Marque","Make"),mk[0],None),(X("D.3","Dénomination commerciale","Model"),mk[1],None),(X("E","N° d'identification","VIN"),vin,None),(X("P.3","Carburant","Fuel type"),r.choice(["ES","GO","EE"] if s.fr else ["PETROL","DIESEL","HYBRID ELECTRIC"]),None),(X("G","Masse en service (kg)","Mass in service (kg)"),str(r.randint(1040,1690)),None),(X("S.1","Places assises","Seats"),"5",None))
    s.P(s.w3("Ce document doit être présenté à toute réquisition des agents de l'autorité.","Toute modification d'adresse est à déclarer dans le délai d'un mois.","Document administratif – ne pas plastifier.") if s.fr else s.w3("This document is not proof of ownership.","Notify any change of name or address without delay.","Keep this document in a safe place, not in the vehicle."))
    s.add("foot",f"{digits(r,4)}{letters(r,2)}{digits(r,5)} – {a}"); return s.done()

# ------------------------------------------------------------- identity, as page (digital proof)
NAT={"FR":["Française","FRA","France"],"CH":["Suisse","CHE","Suisse / Switzerland"],"BE":["Belge","BEL","BELGE"],"QC":["Canadienne","CAN","CANADIENNE"],"UK":["British","GBR","BRITISH CITIZEN"],"IE":["Irish","IRL","IRISH"],"US":["United States","USA","USA"],"CA":["Canadian","CAN","CANADIAN"]}
FOREIGN=[("Marocaine","Moroccan","MAR"),("Brésilienne","Brazilian","BRA"),("Sénégalaise","Senegalese","SEN"),("Indienne","Indian","IND"),("Vietnamienne","Vietnamese","VNM"),("Ukrainienne","Ukrainian","UKR"),("Philippine","Filipino","PHL")]
def idnum(s,typ):
    r,c=s.r,s.c
    if typ=="IDENTITY_CARD": return {"FR":lambda:letters(r,1,"XCTDRF")+letters(r,2,"CFGHJKLMNPRTVWXYZ")+digits(r,2)+letters(r,2,"CFGHJKLMNPRTVWXYZ")+digits(r,2),"CH":lambda:"S"+digits(r,7),"BE":lambda:f"{digits(r,3)}-{digits(r,7)}-{digits(r,2)}","QC":lambda:digits(r,9),"UK":lambda:digits(r,9),"IE":lambda:"C"+letters(r,1)+digits(r,7),"US":lambda:letters(r,1)+digits(r,7),"CA":lambda:f"{digits(r,4)}-{digits(r,5)}"}[c]()
    if typ=="PASSPORT": return {"FR":lambda:digits(r,2)+letters(r,2,"CFHKLPRTVXZ")+digits(r,5),"CH":lambda:"X"+digits(r,7),"BE":lambda:letters(r,2,"EGHJ")+digits(r,6),"QC":lambda:letters(r,2,"AGHJPK")+digits(r,6),"UK":lambda:digits(r,9),"IE":lambda:"P"+letters(r,1)+digits(r,7),"US":lambda:"A"+digits(r,8),"CA":lambda:letters(r,2,"AGHJPK")+digits(r,6)}[c]()
    if typ=="RESIDENCE_PERMIT": return {"FR":lambda:letters(r,2,"CFGHK")+digits(r,7),"CH":lambda:"Z"+digits(r,7),"BE":lambda:"B"+digits(r,8),"QC":lambda:"PA"+digits(r,7),"UK":lambda:"R"+letters(r,1,"SUX")+digits(r,7),"IE":lambda:"I"+digits(r,8),"US":lambda:"SRC"+digits(r,6),"CA":lambda:"RA"+digits(r,7)}[c]()
    p=s.p; b=p.birth
    if c=="UK":
        l=strip_acc(p.last).upper().replace("-","").replace(" ","").replace("'",""); 
        return (l+"99999")[:5]+str(b.year)[2]+f"{b.month+(50 if p.sex=='F' else 0):02d}{b.day:02d}"+str(b.year)[3]+p.first[0].upper().replace("Á","A").replace("É","E")+p.second[0].upper().replace("Á","A")+"9"+letters(r,2)
    return {"FR":lambda:f"{b.year%100:02d}{digits(r,2)}{digits(r,8)}","CH":lambda:digits(r,12),"BE":lambda:digits(r,10),"QC":lambda:strip_acc(p.last)[0].upper()+f"{digits(r,4)}-{b.day:02d}{b.month:02d}{b.year%100:02d}-{digits(r,2)}","IE":lambda:digits(r,9),"US":lambda:letters(r,2)+digits(r,6),"CA":lambda:strip_acc(p.last)[0].upper()+f"{digits(r,4)}-{digits(r,5)}-{b.year%100:02d}{b.month+(50 if p.sex=='F' else 0):02d}{b.day:02d}"}[c]()
def idcore(s):
    """person, number, dates, nationality, MRZ (or None)"""
    r,c,p,typ=s.r,s.c,s.p,s.type
    s.date=min(s.date,dt.date(2026,9,30)); iss=s.date; yrs={"IDENTITY_CARD":10,"PASSPORT":10,"RESIDENCE_PERMIT":r.choice([1,4,5]),"DRIVING_LICENCE":r.choice([10,15]) if c not in("US","CA","QC") else 5}[typ]
    if r.random()<.8: iss=max(dt.date(2018,1,3),iss-dt.timedelta(days=r.randint(0,1700)))
    if typ=="RESIDENCE_PERMIT" and yrs==1: iss=max(iss,dt.date(2025,1,3))
    try: exp=dt.date(iss.year+yrs,iss.month,iss.day)-dt.timedelta(days=1)
    except ValueError: exp=dt.date(iss.year+yrs,3,1)
    s.iss_date=iss; s.exp=exp; num=idnum(s,typ)
    if typ=="RESIDENCE_PERMIT":
        f=r.choice(FOREIGN); nat3=f[2]; s.nat=(f[0] if s.fr else f[1])
        fp={"MAR":(["Yassine","Khadija"],["Bennouna","Tazourite"]),"BRA":(["Thiago","Juliana"],["Cavalcantino","Mourãozinho"]),"SEN":(["Ousmane","Aïssatou"],["Diopfall","Sarréné"]),"IND":(["Arjun","Lakshmi"],["Venkatraghavan","Chatterjeesen"]),"VNM":(["Quang Huy","Thi Lan"],["Nguyenova","Phamtran"]),"UKR":(["Oleksandr","Iryna"],["Kovalenchuk","Shevchukenko"]),"PHL":(["Jericho","Maricel"],["Dimaculanganan","Bautistario"])}[nat3]
        k=0 if p.sex=="M" else 1; p.first=fp[0][k]; p.second=""; p.last=r.choice(fp[1])
    else: nat3=ISO3[c]; s.nat=NAT[c][0] if s.w%2==0 or typ=="DRIVING_LICENCE" else NAT[c][2 if s.w%3 else 1]
    s.last=p.last.upper(); two=p.second and r.random()<.5
    s.firstn=p.first if s.w%2==0 else p.first.upper()
    s.given=s.firstn+((", " if c=="FR" else " ")+(p.second if s.w%2==0 else p.second.upper()) if two else "")
    s.F("lastName",s.last); s.F("firstName",s.given if two else s.firstn)
    st=s.r.choice([0,2]) if c not in("US",) else 0
    if typ=="PASSPORT": st=2 if c!="FR" else 2
    s.F("birthDate",fdate(p.birth,c,st),p.birth); s.F("documentNumber",num); s.F("expiryDate",fdate(exp,c,st),exp); s.issp=fdate(iss,c,st)
    if typ!="DRIVING_LICENCE" and not(typ=="IDENTITY_CARD" and c in("US","CA","QC")): s.F("nationality",s.nat)
    gv=" ".join([p.first]+([p.second] if two else []))
    clean=num.replace("-","").replace(" ","")
    if typ=="PASSPORT": s.mrz=td3(ISO3[c],clean[:9],p.birth,p.sex,exp,nat3,p.last,gv)
    elif typ=="IDENTITY_CARD" and c in("FR","CH","BE","IE"): s.mrz=td1("ID" if c!="IE" else "IP",ISO3[c],clean[:9],p.birth,p.sex,exp,nat3,p.last,gv,clean[9:])
    elif typ=="RESIDENCE_PERMIT" and c in("FR","CH","BE","UK","IE","US","CA"): s.mrz=td1("IR" if c not in("US","CA") else "CA",ISO3[c],clean[:9],p.birth,p.sex,exp,nat3,p.last,gv)
    else: s.mrz=None
    return s
IDT={"IDENTITY_CARD":{"FR":"Carte nationale d'identité","CH":"Carte d'identité","BE":"Carte d'identité","QC":"Carte d'identité avec photo","UK":"National Proof of Age Card","IE":"Passport Card","US":"Identification Card","CA":"Photo Card"},
"PASSPORT":{"FR":"Passeport","CH":"Passeport","BE":"Passeport","QC":"Passeport","UK":"Passport","IE":"Passport","US":"Passport","CA":"Passport"},
"RESIDENCE_PERMIT":{"FR":"Titre de séjour","CH":"Permis de séjour","BE":"Titre de séjour","QC":"Carte de résident permanent","UK":"Residence Permit","IE":"Irish Residence Permit","US":"Permanent Resident Card","CA":"Permanent Resident Card"},
"DRIVING_LICENCE":{"FR":"Permis de conduire","CH":"Permis de conduire","BE":"Permis de conduire","QC":"Permis de conduire","UK":"Driving Licence","IE":"Driving Licence","US":"Driver License","CA":"Driver's Licence"}}
STATE={"FR":"République française","CH":"Confédération suisse","BE":"Royaume de Belgique","QC":"Canada – Québec","UK":"United Kingdom","IE":"Ireland","US":"United States","CA":"Canada – Ontario"}
def idpage(s):
    idcore(s); F=s.fields; T=IDT[s.type][s.c]; c=s.c; r=s.r
    iss=s.w3(s.t("Service d'identité numérique","Digital identity service"),s.t(f"{STATE[c]} – portail de l'usager",f"{STATE[c]} – online services"),s.t("Vérification documentaire en ligne","Secure document check"))
    s.head(iss,[STATE[c]],addr=False); s.add("title",s.w3(s.t(f"Justificatif numérique – {T}",f"View your document – {T}"),s.t(f"{T} : données du titre",f"{T}: record summary"),s.t(f"Attestation – {T}",f"{T} – holder's details")))
    s.add("photo")
    day=min(dt.date(2026,11,20),max(s.iss_date+dt.timedelta(days=3),s.date)); 
    if s.exp<day: day=s.iss_date+dt.timedelta(days=20)
    s.date=day
    nat=F.get("nationality")
    if s.layout=="prose":
        s.P(s.t(f"Il est attesté que {s.last} {F['firstName']}, né(e) le {F['birthDate']}"+(f", de nationalité {nat}" if nat else "")+f", est titulaire du titre « {T} » numéro {F['documentNumber']}, délivré le {s.issp} et valable jusqu'au {F['expiryDate']}.",
          f"The register shows that {F['firstName']} {s.last}, born {F['birthDate']}"+(f", nationality {nat}" if nat else "")+f", holds the document '{T}' number {F['documentNumber']}, issued {s.issp} and valid until {F['expiryDate']}."))
    else:
        s.kv((s.w3(s.t("Nom","Surname"),s.t("NOM / Surname","Family name"),s.t("Nom de famille","Last name")),s.last,"lastName"),(s.w3(s.t("Prénom(s)","Given names"),s.t("Prénoms / Given names","First name(s)"),s.t("Prénoms","Forenames")),F["firstName"],"firstName"),(s.t("Sexe","Sex"),s.p.sex,None),(s.w3(s.t("Né(e) le","Date of birth"),s.t("Date de naissance","Born")),F["birthDate"],"birthDate"),(s.t("Nationalité","Nationality"),nat,"nationality") if nat else None,(s.w3(s.t("N° du titre","Document number"),s.t("Numéro du document","Document no.")),F["documentNumber"],"documentNumber"),(s.t("Date de délivrance","Issue date"),s.issp,None),(s.w3(s.t("Date d'expiration","Expiry date"),s.t("Valable jusqu'au","Valid until")),F["expiryDate"],"expiryDate"),
          (s.t("Catégories","Categories"),r.choice(["B","A B","B BE"]) ,None) if s.type=="DRIVING_LICENCE" else None)
    if s.mrz and s.w%2: s.add("mrz",s.mrz)
    s.add("qr",f"https://verif.example/{letters(r,4)}{digits(r,8)}")
    s.P(s.t(f"Document généré le {s.d(day)} à la demande du titulaire. Réservé au destinataire désigné.",f"Generated on {s.d(day)} at the request of the holder. Share only with the named recipient."))
    s.add("foot",iss+" – "+letters(r,3)+digits(r,9)); return s.done()
def idcard(s):
    idcore(s); s.title=IDT[s.type][s.c]; s.card=True; return s

# ------------------------------------------------------------- OTHER
def other(s):
    r=s.r; k=s.w; s.holder(False,False); nm=s.namel; co=company(r,s.c); kinds=7; k=(s.w+r.randint(0,kinds-1))%kinds; s.okind=["employment_letter","cv","ticket","medical","diploma","complaint","membership"][k]
    d=s.d(s.date,1)
    if k==0:
        s.head(co); s.add("title",s.t("Attestation d'emploi","Employment confirmation")); s.P(place(s)); s.P(s.t(f"Nous soussignés {co} certifions que {nm} est employé(e) au sein de notre entreprise depuis le {s.d(s.date-dt.timedelta(days=r.randint(300,3000)),1)} sous contrat à durée indéterminée, à temps plein. L'intéressé(e) n'est ni en période d'essai, ni en préavis.",f"We confirm that {nm} has been employed by {co} since {s.d(s.date-dt.timedelta(days=r.randint(300,3000)),1)} on a permanent full-time contract and has completed the probationary period.")); s.P(s.t("Attestation délivrée pour servir et valoir ce que de droit.","Please contact us if you need any further information.")); s.add("sign",s.t("Ressources humaines","Human Resources")); s.foot()
    elif k==1:
        s.add("title",s.full); s.P(" · ".join(s.alines)+" · "+("06 " if s.c=="FR" else "")+digits(r,8)); y=s.date.year
        for h,it in ((s.t("Expérience","Experience"),[(f"{y-3}–{y}",s.t("Gestionnaire administratif, ","Office manager, ")+co),(f"{y-7}–{y-3}",s.t("Assistant, ","Assistant, ")+company(r,s.c))]),(s.t("Formation","Education"),[(str(y-8),s.t("BTS gestion de la PME","BA Business Studies")),(str(y-10),s.t("Baccalauréat","Leaving Certificate" if s.c=="IE" else "High school diploma"))]),(s.t("Langues","Languages"),[("",s.t("Français (langue maternelle), anglais (B2)","English (native), French (B1)"))])):
            s.h(h)
            for a,b in it: s.P((a+" — " if a else "")+b)
    elif k==2:
        s.head(s.t("Lignes Interrégionales","Midland & Coast Rail")); s.add("title",s.t("Billet électronique","E-ticket")); s.kv((s.t("Voyageur","Passenger"),s.full,None),(s.t("Référence","Booking ref."),letters(r,6),None),(s.t("Départ","Departure"),f"{CITIES[s.c][0][1]} {r.randint(6,20):02d}:{r.randint(0,59):02d}",None),(s.t("Arrivée","Arrival"),CITIES[s.c][-1][1],None),(s.t("Date","Date"),d,None),(s.t("Prix","Fare"),s.m(r.uniform(19,120)),None)); s.add("qr",letters(r,20)); s.P(s.t("Billet nominatif, non cessible.","Non-transferable. Bring photo identification."))
    elif k==3:
        s.head(s.t(f"Cabinet médical Dr {Person(r,s.c).last}",f"Dr {Person(r,s.c).last}, General Practice")); s.add("title",s.t("Certificat médical","Medical certificate")); s.P(place(s)); s.P(s.t(f"Je soussigné, docteur en médecine, certifie avoir examiné ce jour {nm}, né(e) le {s.d(s.p.birth,1)}, et n'avoir constaté aucune contre-indication à la pratique du sport.",f"I examined {nm}, born {s.d(s.p.birth,1)}, today and found no reason preventing participation in sport.")); s.add("sign","Dr")
    elif k==4:
        s.head(s.t("Institut Supérieur des Métiers de l'Ouest","Ashgrove Technical College")); s.add("title",s.t("Attestation de réussite","Certificate of completion")); s.P(s.t(f"Le jury atteste que {nm} a satisfait aux épreuves du diplôme de gestion immobilière, session {s.date.year}, mention {r.choice(['bien','assez bien'])}.",f"This is to certify that {nm} has completed the Diploma in Property Management ({s.date.year}) with {r.choice(['merit','distinction'])}.")); s.P(d); s.add("sign",s.t("Le directeur","Principal"))
    elif k==5:
        s.P(nm); s.P(", ".join(s.alines)); s.P(place(s)); s.add("title",s.t("Objet : résiliation de mon abonnement","Re: cancellation of my subscription")); s.P(s.t("Madame, Monsieur,","Dear Sir or Madam,")); s.P(s.t("Par la présente, je vous informe de ma décision de résilier mon contrat à compter de sa prochaine échéance. Je vous remercie de bien vouloir m'adresser une confirmation écrite et de cesser tout prélèvement à cette date.","I am writing to let you know that I wish to cancel my contract at the end of the current term. Please confirm the date in writing and stop all further debits after that day.")); s.P(s.t("Veuillez agréer, Madame, Monsieur, mes salutations distinguées.","Yours faithfully,")); s.add("sign",s.full)
    else:
        s.head(s.t("Club Sportif de la Doua","Riverside Leisure Club")); s.add("title",s.t("Confirmation d'adhésion","Membership confirmation")); s.kv((s.t("Membre","Member"),s.full,None),(s.t("N° d'adhérent","Member no."),digits(r,6),None),(s.t("Saison","Season"),f"{s.date.year}/{s.date.year+1}",None),(s.t("Cotisation","Fee"),s.m(r.choice([85.,120.,240.])),None)); s.P(d)
    s.date=min(s.date,dt.date(2026,11,18)); s.fields={}; s.raw={}; return s.done()

BUILD={"BANK_DETAILS":bank,"PAYSLIP":payslip,"TAX_NOTICE":tax,"INVOICE":invoice,"PROOF_OF_ADDRESS":poa,"COMPANY_REGISTRATION":compreg,"INSURANCE_CERTIFICATE":insurance,"VEHICLE_REGISTRATION":vehicle,"OTHER":other}
IDTYPES=("IDENTITY_CARD","PASSPORT","RESIDENCE_PERMIT","DRIVING_LICENCE")
